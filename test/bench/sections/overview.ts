/** What this machine does, in words and absolute figures: the first table of the benchmark. */
import { availableParallelism } from "node:os";
import type { BenchStack } from "../bench-stack.ts";
import { cpuMs } from "../cpu.ts";
import { fire, type LoadResult } from "../load.ts";
import { figure } from "../rounds.ts";
import type { Section } from "../report.ts";
import { JSON_HEADERS, plays } from "./submits.ts";

const CROWD = 32;
const BATCH = 1_000;

const post = (path: string, bodies: readonly string[]) => (i: number) => ({
  method: "POST",
  path,
  body: bodies[i] ?? "",
});

async function oneRound(bench: BenchStack, seed: number, count: number) {
  const baseUrl = bench.stack.info.api;
  const [game, quiet, batched] = [await bench.freshGame(), await bench.freshGame(), await bench.freshGame()];
  const load = (clients: number, path: string, bodies: readonly string[]): Promise<LoadResult> =>
    fire({ baseUrl, clients, count: bodies.length, headers: JSON_HEADERS, shot: post(path, bodies) });
  const evening = plays(seed, count);
  const bodies = evening.map((play) => JSON.stringify(play));
  const one = await load(1, `/v1/games/${quiet}/scores`, bodies.slice(0, Math.ceil(count / 8)));
  const before = cpuMs(bench.stack);
  const crowd = await load(CROWD, `/v1/games/${game}/scores`, bodies);
  const after = cpuMs(bench.stack);
  const large = plays(seed + 1_000, BATCH * 8);
  const batches = Array.from({ length: 8 }, (_, i) =>
    JSON.stringify({ submissions: large.slice(i * BATCH, (i + 1) * BATCH) }),
  );
  const inBatches = await load(2, `/v1/games/${batched}/scores/batch`, batches);
  const path = `/v1/games/${game}/boards/current/top`;
  const reads = await fire({
    baseUrl,
    clients: CROWD,
    count: count * 2,
    headers: {},
    shot: () => ({ method: "GET", path }),
  });
  const spent = Object.keys(after).map((name) => (after[name] ?? 0) - (before[name] ?? 0));
  return { one, crowd, inBatches, reads, cpuMs: spent.reduce((sum, ms) => sum + ms, 0) / count };
}

export async function benchOverview(
  bench: BenchStack,
  rounds: number,
  count: number,
  say: (line: string) => void,
): Promise<Section> {
  const cores = availableParallelism();
  const done: Awaited<ReturnType<typeof oneRound>>[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}: overview`);
    done.push(await oneRound(bench, round, count));
  }
  const line = (name: string, unit: string, of: (round: (typeof done)[number]) => number) => ({
    name,
    unit,
    figure: figure(done.map(of)),
  });
  return {
    title: `This machine: ${cores} cores that Postgres, Redis, the Worker, the rooms and the clients share`,
    lines: [
      line(`durable submissions, ${CROWD} players at once`, "a second", ({ crowd }) => crowd.perSecond),
      line("… a core", "a second", ({ crowd }) => crowd.perSecond / cores),
      line("durable submissions in batches of 1,000", "a second", ({ inBatches }) => inBatches.perSecond * BATCH),
      line(`top 10, ${CROWD} readers at once`, "a second", ({ reads }) => reads.perSecond),
      line("a player alone waits for the place (median)", "ms", ({ one }) => one.p50Ms),
      line("one of 32 waits for the place (median)", "ms", ({ crowd }) => crowd.p50Ms),
      line("… 99 of 100 wait less than", "ms", ({ crowd }) => crowd.p99Ms),
      line("CPU a submission, all processes but the clients", "ms", (round) => round.cpuMs),
    ],
  };
}
