/** Games whose keys in Redis are damaged in every way, and what everybody must be told about them. */
import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { z } from "zod";
import {
  activityKey,
  BADGE_GROUP,
  countedKey,
  leaseKey,
  moderatedKey,
  playersKey,
  rebuildKey,
  rebuildStateKey,
} from "../../functions/adapters/redis/keys.ts";
import { weekOf } from "../../functions/domain/board/week.ts";
import { passMinute } from "./history.ts";
import type { World } from "./world.ts";
import { allTimeKey, countryKey, weekKey } from "../harness/board-keys.ts";

export const PLAYERS = 60;
export const week = () => weekOf(Date.now());

/** Every kind of key that a game has, from adapters/redis/keys.ts. */
export const KINDS: Readonly<Record<string, (game: string) => string>> = {
  "the week's board": (game) => weekKey(game, week()),
  "a country's board": (game) => countryKey(game, week(), "DE"),
  "the all-time board": allTimeKey,
  "the time of the last moderation": moderatedKey,
  "the push lease": (game) => leaseKey(game, week()),
  "the distinct players": (game) => playersKey(game, week()),
  "the feed entry that was counted last": (game) => countedKey(game, week()),
  "the feed with its badge group": activityKey,
  "the rebuild's lease": rebuildKey,
  "the rebuild's state": rebuildStateKey,
};

const playerOf = (n: number) => `p${String(n).padStart(3, "0")}`;
/** The first of them has the most points; every third one is from Germany. */
const scoreOf = (n: number) => ({ player: playerOf(n), points: 6_000 - n * 10, country: n % 3 === 0 ? "DE" : "FR" });

export async function play(world: World, game: string, scores: readonly Readonly<Record<string, unknown>>[]) {
  const submissions = scores.map((score) => ({ ...score, idempotencyKey: randomBytes(8).toString("hex") }));
  await world.api("POST", `/v1/games/${game}/scores/batch`, { submissions });
}

/** All that Redis holds of a game, as a backup has it. */
export async function dumpOf({ redis }: World, keys: readonly string[]): Promise<Map<string, Buffer | null>> {
  return new Map(await Promise.all(keys.map(async (key) => [key, await redis.dumpBuffer(key)] as const)));
}

/** Puts keys back as a backup had them; without their expiry, as tools do by default. */
export async function restore({ redis }: World, dump: ReadonlyMap<string, Buffer | null>): Promise<void> {
  for (const [key, value] of dump) {
    await redis.del(key);
    if (value) await redis.restore(key, 0, value);
  }
}

/** A key of a type that none of its kind has. */
export const wrongType = async ({ redis }: World, key: string, isHash: boolean) => {
  await redis.del(key);
  await (isHash ? redis.rpush(key, "not", "ours") : redis.hset(key, "not", "ours"));
};

/** A game in Redis; `old` is what an older backup has of it, `newest` its newest events. */
export type Resting = {
  readonly game: string;
  readonly old: ReadonlyMap<string, Buffer | null>;
  readonly newest: { player: string; points: number }[];
};

/** A game that has rested: `old` is what Redis held before its best player, its last one and its German ones came. */
export async function restingGame(world: World, settled: boolean): Promise<Resting> {
  const game = await world.game({ badges: [] });
  const keys = Object.values(KINDS).map((keyOf) => keyOf(game));
  const all = Array.from({ length: PLAYERS }, (_, i) => scoreOf(i + 1));
  const early = all.slice(1).map((score) => ({ ...score, points: score.points - 5 }));
  await play(world, game, early);
  await world.api("GET", `/v1/games/${game}/boards/current/players-count`);
  if (settled) await passMinute(world, game);
  await world.tick();
  // A rebuild and a push that were under way when the backup was made.
  await world.redis.set(rebuildKey(game), "somebody", "PX", 100_000);
  await world.redis.hset(rebuildStateKey(game), { run: "somebody", position: '["all-time"]' });
  await world.redis.set(leaseKey(game, week()), "1", "PX", 100_000);
  const old = await dumpOf(world, keys);
  await world.redis.del(rebuildKey(game), rebuildStateKey(game), leaseKey(game, week()));
  await play(world, game, all);
  await world.api("GET", `/v1/games/${game}/boards/current/players-count`);
  if (settled) await passMinute(world, game);
  await world.tick();
  const newest = all.slice(-5).map(({ player, points }) => ({ player, points }));
  return { game, old, newest: newest.reverse() };
}

const Entries = z.object({ boardSize: z.int(), entries: z.array(z.object({ player: z.string(), points: z.int() })) });
const Place = z.object({ rank: z.int().nullable(), boardSize: z.int().nullable(), ranked: z.boolean() });
const Count = z.object({ estimate: z.int(), ranked: z.int() });
const Feed = z.object({ events: z.array(z.object({ player: z.string(), points: z.int() })) });

/** What a reader of the game is told some time later, wherever it comes from. */
export async function expectRightReads(world: World, { game, newest }: Resting, laterMs = 0): Promise<void> {
  const get = async (path: string) => {
    const { status, body } = await world.ask("GET", `/v1/games/${game}/${path}`, undefined, { laterMs });
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  const top = async (path: string) => Entries.parse(await get(`boards/${path}`));
  const expected = Array.from({ length: PLAYERS }, (_, i) => scoreOf(i + 1)).map(({ player, points }) => ({
    player,
    points,
  }));
  const germans = expected.filter((_, i) => (i + 1) % 3 === 0);
  expect(await top("current/top?n=100")).toEqual({ boardSize: PLAYERS, entries: expected });
  expect(await top("all-time/top?n=100")).toEqual({ boardSize: PLAYERS, entries: expected });
  expect(await top("current/top?n=100&country=DE")).toEqual({ boardSize: germans.length, entries: germans });
  expect(await get(`boards/current/players/${playerOf(51)}`)).toMatchObject({ rank: 51 });
  expect(await get(`boards/all-time/around/${playerOf(51)}`)).toMatchObject({ entry: { rank: 51 } });
  expect(await get(`boards/current/players/${playerOf(51)}?country=DE`)).toMatchObject({ rank: 17 });
  const { estimate, ranked } = Count.parse(await get("boards/current/players-count"));
  expect([ranked, Math.abs(estimate - PLAYERS) <= 3]).toEqual([PLAYERS, true]);
  const { events } = Feed.parse(await get(`feed?n=${newest.length}`));
  expect(events).toEqual(newest);
}

/** A submission some time later that is no best: its places are those that Postgres knows, or none yet. */
export async function expectRightPlace(world: World, resting: Resting, laterMs = 0): Promise<void> {
  const score = { player: playerOf(51), points: 1 + resting.newest.length };
  const { game } = resting;
  const { body } = await world.ask("POST", `/v1/games/${game}/scores`, { ...score, country: "DE" }, { laterMs });
  const { ranked, rank, boardSize } = Place.parse(body);
  expect([rank, boardSize]).toEqual(ranked ? [51, PLAYERS] : [null, null]);
  resting.newest.unshift(score);
}

/** Redis holds all of it: readers are answered from there, and every key is of its kind and ends when it should. */
export async function expectHealed(world: World, game: string): Promise<void> {
  const kinds = {
    [weekKey(game, week())]: "zset",
    [countryKey(game, week(), "DE")]: "zset",
    [allTimeKey(game)]: "zset",
  };
  for (const [key, type] of Object.entries(kinds)) expect([key, await world.redis.type(key)]).toEqual([key, type]);
  for (const path of [
    "boards/current/top",
    "boards/all-time/top",
    "boards/current/top?country=DE",
    "boards/current/players-count",
    "feed",
  ]) {
    const { status, headers } = await world.ask("GET", `/v1/games/${game}/${path}`);
    expect([path, status, headers.get("edgeboard-source")]).toEqual([path, 200, "redis"]);
  }
  const groups = z.array(z.array(z.unknown())).parse(await world.redis.xinfo("GROUPS", activityKey(game)));
  expect(groups.flat()).toContain(BADGE_GROUP);
  expect(await world.redis.zcard(weekKey(game, week()))).toBe(PLAYERS);
  expect(await world.redis.ttl(weekKey(game, week()))).toBeGreaterThan(0);
  // The next change of the top 10 gets the lease: nothing holds it for ever.
  expect(await world.redis.pttl(leaseKey(game, week()))).not.toBe(-1);
}
