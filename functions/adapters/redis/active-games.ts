/**
 * Marks games as busy, before their submissions are written: the cron finds through it every game that may have
 * something to drain or to reconcile, also when the Worker dies between Postgres and Redis.
 */
import type { ActiveGames } from "../../services/ports.ts";
import type { RedisClient } from "./client.ts";
import { ACTIVE_KEY } from "./keys.ts";

/** An isolate marks a game again after this long; the cron waits longer than that before it calls a game idle. */
export const MARK_EVERY_MS = 20_000;

/** When this isolate last marked a game: plain values, so sharing them between requests is safe. */
const marked = new Map<string, number>();
const MOST_REMEMBERED = 10_000;

export function createActiveGames(redis: RedisClient, now: () => number): ActiveGames {
  return {
    async mark(game) {
      const at = now();
      if (at - (marked.get(game) ?? 0) < MARK_EVERY_MS) return;
      await redis.command(["ZADD", ACTIVE_KEY, "GT", String(at), game]);
      if (marked.size >= MOST_REMEMBERED) marked.clear();
      marked.set(game, at);
    },
  };
}
