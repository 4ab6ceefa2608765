/** How fast one run of the cron turns a backlog of the feed into badges, through the Worker as in production. */
import { Redis } from "ioredis";
import { activityKey, BADGE_GROUP } from "../../../functions/adapters/redis/keys.ts";
import type { BenchStack } from "../bench-stack.ts";
import { fire } from "../load.ts";
import { figure } from "../rounds.ts";
import type { Section } from "../report.ts";
import { JSON_HEADERS, plays } from "./submits.ts";

const BATCH = 1_000;

/** Entries that the badge group has not handled yet. */
async function backlog(redis: Redis, game: string): Promise<number> {
  const groups = await redis.xinfo("GROUPS", activityKey(game));
  const facts = (Array.isArray(groups) ? groups : []).find((group) => Array.isArray(group) && group[1] === BADGE_GROUP);
  const at = (name: string) => Number(facts?.[facts.indexOf(name) + 1]);
  return at("lag") + at("pending");
}

async function drain(bench: BenchStack, redis: Redis, seed: number, total: number): Promise<number> {
  const game = await bench.freshGame();
  const evening = plays(seed, total);
  await fire({
    baseUrl: bench.stack.info.api,
    clients: 2,
    count: total / BATCH,
    headers: JSON_HEADERS,
    shot: (i) => ({
      method: "POST",
      path: `/v1/games/${game}/scores/batch`,
      body: JSON.stringify({ submissions: evening.slice(i * BATCH, (i + 1) * BATCH) }),
    }),
  });
  const before = await backlog(redis, game);
  const startedAt = performance.now();
  const response = await fetch(`${bench.stack.info.api}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`);
  await response.arrayBuffer();
  const seconds = (performance.now() - startedAt) / 1_000;
  const handled = before - (await backlog(redis, game));
  if (handled <= 0) throw new Error("the run drained nothing");
  return handled / seconds;
}

export async function benchDrain(
  bench: BenchStack,
  rounds: number,
  total: number,
  say: (line: string) => void,
): Promise<Section> {
  const redis = new Redis(bench.stack.info.redisUrl);
  const rates: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}: drain`);
    rates.push(await drain(bench, redis, 200 + round, total));
  }
  redis.disconnect();
  return {
    title: `Badge drain, a backlog of ${total.toLocaleString("en")} submissions`,
    lines: [{ name: "handled by one run", unit: "entries/s", figure: figure(rates) }],
  };
}
