/** What the demo says at the end. */
import type { Redis } from "ioredis";
import { activityKey, boardKey } from "../../functions/adapters/redis/keys.ts";
import { boardOf } from "../../functions/domain/board/board.ts";
import type { Client } from "../../client/index.ts";
import type { DemoOptions } from "./options.ts";
import type { PlayResult } from "./play.ts";

const SOMEWHERE_IN_THE_MIDDLE = 500;

const number = (value: number) => value.toLocaleString("en");

/** The value below which `share` of the sorted values lie. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const row = (entry: { rank: number; player: string; points: number }) =>
  `  ${String(entry.rank).padStart(6)}  ${entry.player.padEnd(32)} ${number(entry.points).padStart(14)}`;

/** The player at a place, found by paging. */
async function playerAt(client: Client, game: string, rank: number): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let seen = 0; ; seen += 100) {
    const page = await client.top(game, "current", { n: 100, ...(cursor === undefined ? {} : { cursor }) });
    if (rank <= seen + page.entries.length) return page.entries[rank - seen - 1]?.player;
    if (page.next === null) return page.entries.at(-1)?.player;
    cursor = page.next;
  }
}

export function printSpeed(result: PlayResult): void {
  const { acknowledged, rankedLater, failed, elapsedMs, latencies } = result;
  const ms = (share: number) => `${percentile(latencies, share).toFixed(1)} ms`;
  console.log(
    `\n${number(acknowledged)} submissions acknowledged in ${(elapsedMs / 1000).toFixed(1)} s, ${number(Math.round(acknowledged / (elapsedMs / 1000)))} a second`,
  );
  console.log(`latency p50 ${ms(0.5)}, p95 ${ms(0.95)}, p99 ${ms(0.99)}`);
  if (rankedLater > 0) console.log(`${number(rankedLater)} of them were durable first and ranked a moment later (202)`);
  if (failed > 0) console.log(`${number(failed)} failed and were not acknowledged`);
}

export async function printBoard(client: Client, redis: Redis, options: DemoOptions): Promise<void> {
  const { game } = options;
  const top = await client.top(game, "current", { n: 5 });
  console.log(`\ntop 5 of ${game}, ${top.board}\n${top.entries.map(row).join("\n")}`);
  const middle = await playerAt(client, game, SOMEWHERE_IN_THE_MIDDLE);
  if (middle !== undefined) {
    const around = await client.around(game, "current", middle, { k: 1 });
    console.log(`\naround rank ${around.entry.rank}\n${around.entries.map(row).join("\n")}`);
  }
  const players = await client.playersCount(game, "current");
  console.log(`\nplayers this week: ${number(players.ranked)} exactly, ${number(players.estimate)} estimated`);
  const feed = await client.feed(game, { n: 3 });
  console.log("newest in the feed");
  for (const event of feed.events)
    console.log(`  ${event.player} ${number(event.points)} points (#${event.rank ?? "–"})`);
  const bytes = await redis.memory("USAGE", boardKey(game, boardOf(top.board)), "SAMPLES", 0);
  const length = await redis.xlen(activityKey(game));
  console.log(`memory of the week's board: ${number(bytes ?? 0)} bytes; feed length: ${number(length)}`);
}
