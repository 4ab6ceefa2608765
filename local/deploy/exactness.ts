/**
 * Proves that a Redis keeps our scores to the last bit, on keys of no game. Upstash is not the redis-server that the
 * tests run on: a store that rounds a double, or a Lua that prints one otherwise, would reorder boards without an error.
 */
import { randomBytes } from "node:crypto";
import type { Redis } from "@upstash/redis";
import { z } from "zod";
import {
  ALL_TIME_EPOCH,
  ALL_TIME_SECONDS,
  allTimeScore,
  MAX_POINTS,
  WEEK_SECONDS,
  weeklyScore,
} from "../../functions/domain/score.ts";
import { startOf, weekExpiry, weekOf } from "../../functions/domain/week.ts";

type Entry = readonly [player: string, points: number, second: number];

/** Neighbours at both ends and in the middle of a range, best first: a lost bit swaps two of them. */
function extremes(first: number, last: number): Entry[] {
  const points = [MAX_POINTS, MAX_POINTS - 1, 2 ** 32, 2 ** 32 - 1, 1, 0];
  return points.flatMap((value) =>
    [first, first + 1, last - 1, last].map((second): Entry => [`${value}-${second}`, value, second]),
  );
}

type Board = {
  readonly name: string;
  readonly entries: readonly Entry[];
  readonly score: (points: number, second: number) => number;
  /** Week's first second and expiry, as the library takes them. */
  readonly week: readonly [start: string, expiry: string];
};

function boards(nowMs: number): Board[] {
  const week = weekOf(nowMs);
  const start = startOf(week) / 1000;
  return [
    {
      name: "weekly",
      entries: extremes(start, start + WEEK_SECONDS - 1),
      score: (points, second) => weeklyScore(points, second - start),
      week: [String(start), String(Math.floor(weekExpiry(week) / 1000))],
    },
    {
      name: "all-time",
      entries: extremes(ALL_TIME_EPOCH, ALL_TIME_EPOCH + ALL_TIME_SECONDS - 1),
      score: allTimeScore,
      week: ["", ""],
    },
  ];
}

/** ZADD of the number as text, ZSCORE as text: what the server itself makes of a double. */
async function storeComplaints(redis: Redis, key: string, { name, entries, score }: Board): Promise<string[]> {
  const complaints: string[] = [];
  await redis.exec(["ZADD", key, ...entries.flatMap(([player, ...at]) => [String(score(...at)), player])]);
  for (const [player, ...at] of entries) {
    const back = Number(await redis.exec(["ZSCORE", key, player]));
    if (!Object.is(back, score(...at))) complaints.push(`${name}: ZADD ${score(...at)} came back as ${back}`);
  }
  return complaints;
}

/** Through the library: encoded by Lua, ordered by Redis, decoded by Lua. */
async function libraryComplaints(redis: Redis, key: string, { name, entries, week }: Board): Promise<string[]> {
  const flat = (all: readonly Entry[]) => all.flatMap((entry) => entry.map(String));
  const [start, expiry] = week;
  const fill = ["0", start, expiry, "", String(entries.length), "0", ...flat(entries.toReversed())];
  await redis.functions.call("lb_fill_v1", [key], fill);
  // The board stands in for the feed as well, whose existence says that a game is complete.
  const top = await redis.functions.call("lb_top_v1", [key, key, `${key}:version`], [start, String(entries.length)]);
  const got = z
    .array(z.string())
    .parse(top)
    .slice(-3 * entries.length);
  const wrong = flat(entries).findIndex((value, i) => value !== got[i]);
  return wrong < 0 ? [] : [`${name}: the library wrote ${flat(entries)[wrong]} and read ${got[wrong]}`];
}

/** What this Redis gets wrong; empty when boards are exact. Takes the library to be loaded. */
export async function exactnessComplaints(redis: Redis, nowMs: number): Promise<string[]> {
  const scratch = `lb:{#deploy-${randomBytes(6).toString("hex")}}`;
  const complaints: string[] = [];
  for (const board of boards(nowMs)) {
    const [stored, played] = [`${scratch}:stored:${board.name}`, `${scratch}:played:${board.name}`];
    try {
      complaints.push(...(await storeComplaints(redis, stored, board)));
      complaints.push(...(await libraryComplaints(redis, played, board)));
    } finally {
      await redis.exec(["DEL", stored, played]);
    }
  }
  return complaints;
}
