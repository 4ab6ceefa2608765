/** `npm run bench`: speed, cost and growth in one run on one machine; ratios, medians and spread. `--json` for machines. */
import { parseArgs } from "node:util";
import { runTool } from "../../tools/command-line.ts";
import { startBenchStack, type BenchStack } from "./bench-stack.ts";
import { formatSection, type Section } from "./report.ts";
import { benchBatches } from "./sections/batches.ts";
import { benchCost } from "./sections/cost.ts";
import { benchDrain } from "./sections/drain.ts";
import { benchFanOut } from "./sections/fan-out.ts";
import { benchGrowth } from "./sections/growth.ts";
import { benchOverview } from "./sections/overview.ts";
import { benchReads } from "./sections/reads.ts";
import { benchPeer } from "./sections/peer.ts";
import { benchRebuild } from "./sections/rebuild.ts";
import { benchRuntime } from "./sections/runtime.ts";
import { benchSubmits } from "./sections/submits.ts";

const say = (line: string) => process.stderr.write(`${line}\n`);

let bench: BenchStack | undefined;
const started = async () => (bench ??= await startBenchStack(say));
const onStack = (run: (bench: BenchStack, rounds: number) => Promise<Section>) => async (rounds: number) =>
  run(await started(), rounds);

const QUICK_ROUNDS = 2;
/** What `--quick` runs, in about two minutes: the sections that say what a change did to speed and cost. */
const QUICK: Readonly<Record<string, (rounds: number) => Promise<Section>>> = {
  overview: onStack((bench, rounds) => benchOverview(bench, rounds, 2_000, say)),
  runtime: onStack((bench, rounds) => benchRuntime(bench, rounds, 800, say)),
  submits: onStack((bench, rounds) => benchSubmits(bench, rounds, 1_200, say)),
  cost: onStack((bench) => benchCost(bench, 4_000, say)),
  peer: (rounds) => benchPeer(started, rounds, { players: 5_000, count: 1_000 }, say),
};

const sections: Readonly<Record<string, (rounds: number) => Promise<Section>>> = {
  // On a Redis of its own, before the stack is there to share its cores, caches and memory.
  growth: (rounds) => benchGrowth(rounds, 10_000_000, say),
  // Before other sections leave games that the same tick looks after.
  drain: onStack((bench, rounds) => benchDrain(bench, rounds, 20_000, say)),
  overview: onStack((bench, rounds) => benchOverview(bench, rounds, 4_000, say)),
  runtime: onStack((bench, rounds) => benchRuntime(bench, rounds, 1_500, say)),
  submits: onStack((bench, rounds) => benchSubmits(bench, rounds, 3_000, say)),
  batches: onStack((bench, rounds) => benchBatches(bench, rounds, 40_000, say)),
  reads: onStack((bench, rounds) => benchReads(bench, rounds * 3, 1_000, say)),
  cost: onStack((bench) => benchCost(bench, 40_000, say)),
  rebuild: onStack((bench, rounds) => benchRebuild(bench, rounds, 1_000_000, say)),
  "fan-out": onStack((bench) => benchFanOut(bench, { sockets: 2_000, shards: 1, seconds: 30, perSecond: 500 }, say)),
  peer: (rounds) => benchPeer(started, rounds, { players: 50_000, count: 4_000 }, say),
  shards: onStack((bench) => benchFanOut(bench, { sockets: 4_000, shards: 4, seconds: 30, perSecond: 500 }, say)),
};

const USAGE = `usage: npm run bench -- [--quick] [--only <section>]… [--rounds <n>] [--json]
sections: ${Object.keys(sections).join(", ")}`;

type Options = {
  readonly quick: boolean;
  readonly json: boolean;
  readonly rounds: number;
  readonly only: readonly string[];
};

function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      rounds: { type: "string" },
      only: { type: "string", multiple: true, default: [] },
    },
  });
  const { json, quick, only } = values;
  const rounds = Number(values.rounds ?? (quick ? QUICK_ROUNDS : 3));
  if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error("--rounds is a number from 1 on");
  const unknown = only.find((name) => !(name in (quick ? QUICK : sections)));
  if (unknown !== undefined) throw new Error(`there is no section "${unknown}"`);
  return { quick, json, rounds, only };
}

async function run({ quick, json, rounds, only }: Options): Promise<number> {
  try {
    const done: Section[] = [];
    for (const [name, section] of Object.entries(quick ? QUICK : sections)) {
      if (only.length > 0 && !only.includes(name)) continue;
      say(`— ${name}`);
      const result = await section(rounds);
      done.push(result);
      if (!json) console.log(formatSection(result));
    }
    if (json) console.log(JSON.stringify({ rounds, sections: done }, null, 2));
    return 0;
  } finally {
    await bench?.stop();
  }
}

await runTool({ usage: USAGE, parse: parseOptions, run });
