/**
 * When games need their next rows of periods: a sorted set, score = unix ms. A member that is no game says that the set is
 * whole: Redis that lost the key has lost that member too, and a note of a single game does not bring it back. When a tick
 * has to read it stands in a key of its own, which comes with the list of busy games in one command.
 */
import { z } from "zod";
import { chunks } from "../../domain/page.ts";
import type { DuePeriods } from "../../services/definitions/ports.ts";
import type { RedisClient } from "./client.ts";
import { DUE, isOtherType } from "./active-games.ts";
import { DUE_AT_KEY, DUE_KEY } from "./keys.ts";
import { replyOf } from "./words.ts";

/** Score 0, so that it comes first. No game can have this name. */
const WHOLE = "#whole";
/** Games that one command names: far below the request limit of 10 MB. */
const CHUNK = 1_000;
/** Games that one reading brings; the next one brings the others. */
const PAGE = 500;

const membersAndScores = z.array(z.string());

export function createDuePeriods(redis: RedisClient, now: () => number): DuePeriods {
  /** No release of ours wrote a list that is no sorted set: ours is lost. */
  async function readList(): Promise<unknown> {
    try {
      return await redis.command(["ZRANGE", DUE_KEY, "0", String(PAGE), "WITHSCORES"]);
    } catch (error) {
      if (!isOtherType(error)) throw error;
      await redis.command(["DEL", DUE_KEY]);
      return [];
    }
  }

  return {
    async read() {
      const [whole, , ...flat] = replyOf(membersAndScores, await readList());
      if (whole !== WHOLE) return undefined;
      const all = flat.flatMap((game, i) => (i % 2 === 0 ? [{ game, atMs: Number(flat[i + 1]) }] : []));
      const at = now();
      return {
        games: all.filter(({ atMs }) => atMs <= at).map(({ game }) => game),
        nextAtMs: all.find(({ atMs }) => atMs > at)?.atMs,
      };
    },

    async note(game, atMs) {
      await redis.command(["ZADD", DUE_KEY, "LT", String(atMs), game]);
      await redis.command(["ZADD", DUE_AT_KEY, "LT", String(atMs), DUE]);
    },

    async reset(games) {
      const later = [...games].flatMap(([game, atMs]) => (atMs === undefined ? [] : [[String(atMs), game]]));
      const never = [...games].flatMap(([game, atMs]) => (atMs === undefined ? [game] : []));
      for (const some of chunks(later, CHUNK)) await redis.command(["ZADD", DUE_KEY, ...some.flat()]);
      for (const some of chunks(never, CHUNK)) await redis.command(["ZREM", DUE_KEY, ...some]);
    },

    async whole() {
      await redis.command(["ZADD", DUE_KEY, "0", WHOLE]);
    },

    async readAgainAt(atMs) {
      await redis.command(["ZADD", DUE_AT_KEY, String(atMs), DUE]);
    },
  };
}
