/** `npm run bench`: speed, cost and growth in one run on one machine; ratios, medians and spread. `--json` for machines. */
import { parseArgs } from "node:util";
import { startBenchStack, type BenchStack } from "./bench-stack.ts";
import { formatSection, type Section } from "./report.ts";
import { benchBatches } from "./sections/batches.ts";
import { benchCost } from "./sections/cost.ts";
import { benchDrain } from "./sections/drain.ts";
import { benchFanOut } from "./sections/fan-out.ts";
import { benchGrowth } from "./sections/growth.ts";
import { benchReads } from "./sections/reads.ts";
import { benchRebuild } from "./sections/rebuild.ts";
import { benchSubmits } from "./sections/submits.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    rounds: { type: "string", default: "3" },
    only: { type: "string", multiple: true },
    help: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const say = (line: string) => process.stderr.write(`${line}\n`);

let bench: BenchStack | undefined;
const started = async () => (bench ??= await startBenchStack(say));
const onStack = (run: (bench: BenchStack) => Promise<Section>) => async () => run(await started());

const sections: Readonly<Record<string, () => Promise<Section>>> = {
  // On a Redis of its own, before the stack is there to share its cores, caches and memory.
  growth: () => benchGrowth(rounds, 10_000_000, say),
  // Before other sections leave games that the same tick looks after.
  drain: onStack((bench) => benchDrain(bench, rounds, 20_000, say)),
  submits: onStack((bench) => benchSubmits(bench, rounds, 3_000, say)),
  batches: onStack((bench) => benchBatches(bench, rounds, 40_000, say)),
  reads: onStack((bench) => benchReads(bench, rounds * 3, 1_000, say)),
  cost: onStack((bench) => benchCost(bench, 40_000, say)),
  rebuild: onStack((bench) => benchRebuild(bench, rounds, 1_000_000, say)),
  "fan-out": onStack((bench) => benchFanOut(bench, { sockets: 2_000, shards: 1, seconds: 30, perSecond: 500 }, say)),
  shards: onStack((bench) => benchFanOut(bench, { sockets: 4_000, shards: 4, seconds: 30, perSecond: 500 }, say)),
};

if (values.help) {
  console.log(
    `usage: npm run bench -- [--only <section>]… [--rounds <n>] [--json]\nsections: ${Object.keys(sections).join(", ")}`,
  );
  process.exit(0);
}
try {
  const done: Section[] = [];
  for (const [name, run] of Object.entries(sections)) {
    if (values.only && !values.only.includes(name)) continue;
    say(`— ${name}`);
    const section = await run();
    done.push(section);
    if (!values.json) console.log(formatSection(section));
  }
  if (values.json) console.log(JSON.stringify({ rounds, sections: done }, null, 2));
} finally {
  await bench?.stop();
}
