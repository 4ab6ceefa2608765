/** Games and what Postgres alone knows of players. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { games } from "../../../drizzle/schema/games.ts";
import { badges } from "../../../drizzle/schema/badges.ts";
import { BadgeThreshold } from "../../contract/games.ts";
import type { GameStore } from "../../services/ports.ts";
import { bigintNumber, instantMs, type Postgres } from "./client.ts";

const configRow = z.object({
  badges: z.array(BadgeThreshold),
  feed_length: z.int(),
  max_points: bigintNumber,
});

const badgeRow = z.object({
  badge: z.string(),
  threshold: bigintNumber,
  points: bigintNumber,
  awarded_at: instantMs,
});

export function createGameStore(postgres: Postgres): GameStore {
  return {
    async find(game) {
      const [row] = await postgres.query(
        configRow,
        sql`select ${games.badges}, ${games.feedLength}, ${games.maxPoints} from ${games} where ${games.game} = ${game}`,
      );
      return row && { badges: row.badges, feedLength: row.feed_length, maxPoints: row.max_points };
    },

    async put(game, config) {
      const [row] = await postgres.query(
        z.object({ created: z.boolean() }),
        sql`insert into ${games} as g (game, badges, feed_length, max_points)
          values (${game}, ${JSON.stringify(config.badges)}::jsonb, ${config.feedLength}, ${config.maxPoints})
          on conflict (game) do update set badges = excluded.badges, feed_length = excluded.feed_length,
            max_points = excluded.max_points, updated_at = now()
          returning old.game is null as created`,
      );
      return row?.created ?? false;
    },

    async badgesOf(game, player) {
      const rows = await postgres.query(
        badgeRow,
        sql`select ${badges.badge}, ${badges.threshold}, ${badges.points}, ${badges.awardedAt} from ${badges}
          where ${badges.game} = ${game} and ${badges.player} = ${player} order by ${badges.threshold}, ${badges.badge}`,
      );
      return rows.map((row) => ({
        badge: row.badge,
        threshold: row.threshold,
        points: row.points,
        awardedAt: new Date(row.awarded_at).toISOString(),
      }));
    },

    async ping() {
      await postgres.query(z.unknown(), sql`select 1`);
    },
  };
}
