/** The state of the service beyond one game, for readiness and metrics. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { reconciliations } from "../../drizzle/schema/reconciliations.ts";
import { submissions } from "../../drizzle/schema/submissions.ts";
import type { Vitals } from "../services/operations/ports.ts";
import { equalSecrets } from "./auth/secrets.ts";
import { isEnvironmentKey } from "./auth/server-keys.ts";
import { BEFORE_ALL, bigintNumber, type Postgres } from "./postgres/client.ts";
import type { RedisClient } from "./redis/client.ts";
import { boardKey } from "./redis/keys.ts";
import { replyOf } from "./redis/words.ts";
import { releaseOf } from "../../lua/loader.ts";

export type VitalsOptions = {
  readonly postgres: Postgres;
  readonly redis: RedisClient;
  /** Text of the ranking library that this Worker carries. */
  readonly library: string;
  readonly serverKey: string | undefined;
  readonly metricsToken: string | undefined;
  readonly givenUp: Vitals["givenUp"];
};

const unverifiedRow = z.object({ games: bigintNumber, oldest_ms: bigintNumber });

export function createVitals({ postgres, redis, library, serverKey, metricsToken, givenUp }: VitalsOptions): Vitals {
  return {
    // Looked for in the whole text, so only when it is asked for: this is made for every request.
    release: () => releaseOf(library),
    givenUp,

    async redisRelease() {
      return Number(replyOf(z.string().regex(/^\d+$/), await redis.call("lb_release_v2", [], [])));
    },

    async postgres() {
      await postgres.query(z.unknown(), sql`select 1`);
    },

    async unverified(games) {
      // One look into the primary key per game: its first submission after what was verified.
      const [row] = await postgres.query(
        unverifiedRow,
        sql`select count(s.received_at) as games,
            coalesce(max(extract(epoch from clock_timestamp() - s.received_at) * 1000), 0)::bigint as oldest_ms
          from json_array_elements_text(${JSON.stringify(games)}::json) as g (game)
          left join ${reconciliations} r on r.game = g.game
          cross join lateral (
            select t.received_at from ${submissions} t
            where t.game = g.game and t.id > coalesce(r.verified_until, ${BEFORE_ALL}::uuid) order by t.id limit 1
          ) s`,
      );
      return { games: row?.games ?? 0, oldestMs: Math.max(0, row?.oldest_ms ?? 0) };
    },

    async fullBoards(games, boards) {
      if (games.length === 0) return 0;
      // MGET has null for a key that holds a board, and the word for one that was closed.
      const keys = games.flatMap((game) => boards.map((board) => boardKey(game, board)));
      const held = replyOf(z.array(z.string().nullable()), await redis.command(["MGET", ...keys]));
      return held.filter((value) => value === "full").length;
    },

    async mayReadMetrics(token) {
      if (metricsToken !== undefined && (await equalSecrets(token, metricsToken))) return true;
      return isEnvironmentKey(token, serverKey);
    },
  };
}
