/** Keys that something else wrote over: of another type than the service gives them, or with a value that it cannot read. */
import { z } from "zod";
import { feedEntry } from "../../functions/adapters/redis/feed-entries.ts";
import {
  ACTIVE_KEY,
  activityKey,
  boardKey,
  countedKey,
  leaseKey,
  moderatedKey,
  NEXT_KEY,
  playersKey,
  rebuildKey,
  rebuildStateKey,
} from "../../functions/adapters/redis/keys.ts";
import { isLive, withParts, type Board } from "../../functions/domain/board/board.ts";
import { boardsAt } from "../../functions/domain/board/time.ts";
import { isPosition } from "../../functions/services/healing/pages.ts";
import type { Problem } from "./problem.ts";
import type { Stores } from "./stores.ts";
import type { ToolDeps } from "./tool-deps.ts";

type Redis = Stores["redis"];
/** What is wrong with the value of a key that has the right type. */
type Look = (redis: Redis, key: string) => Promise<string | undefined>;

/** A key and what it has to be when it is there. */
type Expected = {
  readonly key: string;
  readonly type: "stream" | "zset" | "string" | "hash";
  readonly complaint?: Look;
};

const LISTED = 1_000;

const matches = (pattern: RegExp, what: string): Look => {
  return async (redis, key) => {
    const value = z
      .string()
      .nullable()
      .parse(await redis.command(["GET", key]));
    return value === null || pattern.test(value) ? undefined : `holds no ${what}`;
  };
};

async function noHyperLogLog(redis: Redis, key: string): Promise<string | undefined> {
  return redis.command(["PFCOUNT", key]).then(
    () => undefined,
    () => "holds no HyperLogLog",
  );
}

async function noPosition(redis: Redis, key: string): Promise<string | undefined> {
  const [id, position] = z.array(z.string().nullable()).parse(await redis.command(["HMGET", key, "id", "position"]));
  const there = id !== null && position !== null && position !== undefined;
  return there && isPosition(position) ? undefined : "holds no position of a rebuild";
}

function keysOf(game: string, nowMs: number): Expected[] {
  const ofBoard = (board: Board): Expected[] => {
    const { name } = board;
    const beside: Expected[] = [
      { key: playersKey(game, name), type: "string", complaint: noHyperLogLog },
      { key: countedKey(game, name), type: "string", complaint: matches(/^\d+-\d+$/, "id of a feed entry") },
      { key: leaseKey(game, name), type: "string" },
    ];
    return [
      ...withParts(board).map((part): Expected => ({ key: boardKey(game, part), type: "zset" })),
      ...(isLive(board) ? beside : []),
    ];
  };
  return [
    { key: activityKey(game), type: "stream" },
    { key: rebuildKey(game), type: "string" },
    { key: rebuildStateKey(game), type: "hash", complaint: noPosition },
    ...boardsAt(nowMs).flatMap(ofBoard),
  ];
}

/** Whether the library closed the board since one key does not hold its players: a word stands in its place. */
export async function isFullBoard(redis: Redis, key: string): Promise<boolean> {
  // MGET and not GET, which refuses a board.
  const [held] = z.array(z.string().nullable()).parse(await redis.command(["MGET", key]));
  return held === "full";
}

async function checkKey(
  redis: Redis,
  game: string | undefined,
  { key, type, complaint }: Expected,
): Promise<Problem[]> {
  const held = z.string().parse(await redis.command(["TYPE", key]));
  if (held === "none" || (type === "zset" && held === "string" && (await isFullBoard(redis, key)))) return [];
  const wrong = held === type ? await complaint?.(redis, key) : `is a ${held}, not a ${type}`;
  if (wrong === undefined) return [];
  // What Postgres knows comes back by the other checks, which look again once the key is gone.
  return [{ check: "key", game, detail: `${key} ${wrong}`, repair: () => redis.command(["DEL", key]) }];
}

/** Unreadable entries of the feed: readers leave them out. */
async function checkEvents(redis: Redis, game: string): Promise<Problem[]> {
  const key = activityKey(game);
  const reply = await redis.command(["XREVRANGE", key, "+", "-", "COUNT", String(LISTED)]);
  const entries = z.array(z.tuple([z.string(), z.unknown()])).parse(reply);
  const ids = entries.filter((entry) => !feedEntry.safeParse(entry).success).map(([id]) => id);
  if (ids.length === 0) return [];
  const detail = `${key} has ${ids.length} entries that are no events, the newest ${ids[0]}`;
  return [{ check: "key", game, detail, repair: () => redis.command(["XDEL", key, ...ids]) }];
}

/** Versions begin with it, so that without it the boards would not be trusted: no other check brings it back. */
async function checkModerated({ redis }: Stores, deps: ToolDeps, game: string): Promise<Problem[]> {
  const key = moderatedKey(game);
  const complaint = matches(/^\d+$/, "time of a moderation");
  const problems = await checkKey(redis, game, { key, type: "string", complaint });
  const repair = async () => redis.command(["SET", key, await deps.bests.moderated(game)]);
  return problems.map((problem) => ({ ...problem, repair }));
}

/** The damaged keys of a game. */
export async function checkKeys(stores: Stores, deps: ToolDeps, game: string): Promise<Problem[]> {
  const { redis } = stores;
  const checked = keysOf(game, Date.now()).map((key) => checkKey(redis, game, key));
  const found = (await Promise.all([checkModerated(stores, deps, game), ...checked])).flat();
  const stream = found.some(({ detail }) => detail.startsWith(`${activityKey(game)} is`));
  return stream ? found : [...found, ...(await checkEvents(redis, game))];
}

/** Of all games together. */
export async function checkSharedKeys({ redis }: Stores): Promise<Problem[]> {
  const list = await checkKey(redis, undefined, { key: ACTIVE_KEY, type: "zset" });
  return [...list, ...(await checkKey(redis, undefined, { key: NEXT_KEY, type: "string" }))];
}
