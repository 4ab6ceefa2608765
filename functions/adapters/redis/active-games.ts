/**
 * The list of busy games: a sorted set, score = unix ms of the last mark. A game is marked before its submissions are
 * written, so that the cron finds through this one key every game that may have something to drain or to reconcile,
 * also when the Worker dies between Postgres and Redis. A member that is no game says that the list is whole: Redis
 * that lost the key has lost that member too, and a submission that recreates the key does not bring it back.
 */
import { z } from "zod";
import { DependencyError } from "../../domain/errors.ts";
import { MARK_EVERY_MS } from "../../services/games/active-games.ts";
import { createMemory } from "../../services/memory.ts";
import type { ActiveGames, Mark } from "../../services/games/ports.ts";
import type { RedisClient } from "./client.ts";
import { ACTIVE_KEY, DUE_AT_KEY, NEXT_KEY } from "./keys.ts";
import { replyOf } from "./words.ts";
import { chunks } from "../../domain/page.ts";

/** Score = when a tick last saw the whole list. No game can have this name. */
const SEEN = "#cron";
/** Whether Redis refused because the key is of another type: no release of ours wrote it. */
export const isOtherType = (error: unknown): boolean =>
  error instanceof DependencyError && error.message.includes("WRONGTYPE");

/** The member of the key that says when rows of periods are due. No game can have this name. */
export const DUE = "#due";
/** Games that one command takes: far below the request limit of 10 MB. */
const CHUNK = 1_000;
/** A tick that comes later than this may begin anywhere. */
const NEXT_SECONDS = "3600";

/** When this isolate last marked a game: plain values, so sharing them between requests is safe. */
const marked = createMemory<number>();

const membersAndScores = z.array(z.string());

function parseMarks(reply: unknown): Mark[] {
  const flat = replyOf(membersAndScores, reply);
  return flat.flatMap((game, i) => (i % 2 === 0 ? [{ game, atMs: Number(flat[i + 1]) }] : []));
}

export function createActiveGames(redis: RedisClient, now: () => number): ActiveGames {
  /** A list that is no sorted set is not ours: without it, the tick asks Postgres for all games. */
  async function readList(): Promise<unknown> {
    try {
      return await redis.command(["ZUNION", "2", ACTIVE_KEY, DUE_AT_KEY, "WITHSCORES"]);
    } catch (error) {
      if (!isOtherType(error)) throw error;
      await redis.command(["DEL", ACTIVE_KEY, DUE_AT_KEY]);
      return [];
    }
  }

  return {
    async mark(game) {
      const at = now();
      if (at - (marked.get(game) ?? 0) < MARK_EVERY_MS) return;
      await redis.command(["ZADD", ACTIVE_KEY, "GT", String(at), game]);
      marked.set(game, at);
    },

    async read() {
      const all = parseMarks(await readList());
      const seen = all.find(({ game }) => game === SEEN);
      return {
        marks: all.filter(({ game }) => game !== SEEN && game !== DUE),
        dueAtMs: all.find(({ game }) => game === DUE)?.atMs,
        // Zero: a list that was begun and not finished.
        seenAtMs: seen === undefined || seen.atMs === 0 ? undefined : seen.atMs,
      };
    },

    async wake(games) {
      const atMs = now();
      // First, so that a loss of Redis in the middle leaves a list that is known not to be whole.
      await redis.command(["ZADD", ACTIVE_KEY, "GT", "0", SEEN]);
      for (const some of chunks(games, CHUNK)) {
        await redis.command(["ZADD", ACTIVE_KEY, "GT", ...some.flatMap((game) => [String(atMs), game])]);
      }
      return games.map((game) => ({ game, atMs }));
    },

    async seen() {
      await redis.command(["ZADD", ACTIVE_KEY, "XX", "GT", String(now()), SEEN]);
    },

    async next() {
      return replyOf(z.string().nullable(), await redis.command(["GET", NEXT_KEY])) ?? undefined;
    },

    async goOnWith(game) {
      await redis.command(["SET", NEXT_KEY, game, "EX", NEXT_SECONDS]);
    },

    async release(marks) {
      for (const some of chunks(marks, CHUNK)) {
        const args = some.flatMap(({ game, atMs }) => [game, String(atMs)]);
        await redis.call("lb_idle_v2", [ACTIVE_KEY], args);
      }
    },
  };
}
