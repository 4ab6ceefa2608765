/** What tests do to a game's activity stream behind the service's back. */
import type { Redis } from "ioredis";
import { z } from "zod";

const GROUP = "badges";
const Entries = z.array(z.tuple([z.string()]).rest(z.unknown()));
const Read = z.array(z.tuple([z.string(), Entries])).nullable();

export const activityOf = (game: string): string => `lb:{${game}}:activity`;

export function streamOf(redis: Redis, game: string) {
  const key = activityOf(game);
  return {
    key,
    /** A consumer reads up to `n` entries and dies; its entries look abandoned for `idleMs`. Their ids. */
    async abandon(n: number, idleMs = 3_600_000): Promise<string[]> {
      const from = ["COUNT", n, "STREAMS", key, ">"] as const;
      const read = Read.parse(await redis.call("XREADGROUP", "GROUP", GROUP, "dead", ...from));
      const ids = read?.[0]?.[1].map(([id]) => id) ?? [];
      if (ids.length > 0) await redis.call("XCLAIM", key, GROUP, "dead", "0", ...ids, "IDLE", idleMs, "JUSTID");
      return ids;
    },
    /** Makes everything pending look abandoned for an hour. */
    async ageNow(): Promise<void> {
      const pending = Entries.parse(await redis.call("XPENDING", key, GROUP, "-", "+", "1000000"));
      const ids = pending.map(([id]) => id);
      if (ids.length > 0) await redis.call("XCLAIM", key, GROUP, "dead", "0", ...ids, "IDLE", 3_600_000, "JUSTID");
    },
    ids: async () => (await redis.xrange(key, "-", "+")).map(([id]) => id),
    remove: (ids: readonly string[]) => redis.xdel(key, ...ids),
    async pending(): Promise<number> {
      return z
        .tuple([z.int()])
        .rest(z.unknown())
        .parse(await redis.call("XPENDING", key, GROUP))[0];
    },
    consumers: async () => z.array(z.unknown()).parse(await redis.call("XINFO", "CONSUMERS", key, GROUP)).length,
    length: () => redis.xlen(key),
  };
}
