/** Games and what Postgres alone knows of players. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { games } from "../../../drizzle/schema/games.ts";
import { badges } from "../../../drizzle/schema/badges.ts";
import { BadgeThreshold, type GameConfig } from "../../contract/games.ts";
import type { GameStore } from "../../services/games/ports.ts";
import { bigintNumber, instantMs, type Postgres } from "./client.ts";

const configRow = z.object({
  badges: z.array(BadgeThreshold),
  feed_length: z.int(),
  max_points: bigintNumber,
  max_improvement: bigintNumber.nullable(),
  limit_submissions: z.int().nullable(),
  limit_seconds: z.int().nullable(),
  signing: z.enum(["nobody", "players", "everyone"]),
  shards: z.int(),
});

function toConfig(row: z.infer<typeof configRow>): GameConfig {
  const { limit_submissions: submissions, limit_seconds: seconds } = row;
  return {
    badges: row.badges,
    feedLength: row.feed_length,
    maxPoints: row.max_points,
    maxImprovement: row.max_improvement,
    limits: { perPlayer: submissions === null || seconds === null ? null : { submissions, seconds } },
    signing: row.signing,
    shards: row.shards,
  };
}

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
        sql`select ${games.badges}, ${games.feedLength}, ${games.maxPoints}, ${games.maxImprovement},
            ${games.limitSubmissions}, ${games.limitSeconds}, ${games.signing}, ${games.shards}
          from ${games} where ${games.game} = ${game}`,
      );
      return row && toConfig(row);
    },

    async put(game, config) {
      const [row] = await postgres.query(
        z.object({ created: z.boolean() }),
        sql`insert into ${games} as g (game, badges, feed_length, max_points, max_improvement, limit_submissions,
            limit_seconds, signing, shards)
          values (${game}, ${JSON.stringify(config.badges)}::jsonb, ${config.feedLength}, ${config.maxPoints},
            ${config.maxImprovement}::bigint, ${config.limits.perPlayer?.submissions ?? null}::int,
            ${config.limits.perPlayer?.seconds ?? null}::int, ${config.signing}, ${config.shards}::int)
          on conflict (game) do update set badges = excluded.badges, feed_length = excluded.feed_length,
            max_points = excluded.max_points, max_improvement = excluded.max_improvement,
            limit_submissions = excluded.limit_submissions, limit_seconds = excluded.limit_seconds,
            signing = excluded.signing, shards = excluded.shards, updated_at = now()
          returning old.game is null as created`,
      );
      return row?.created ?? false;
    },

    async badgesOf(game, player) {
      const rows = await postgres.query(
        badgeRow,
        sql`select ${badges.badge}, ${badges.threshold}, ${badges.points}, ${badges.awardedAt} from ${badges}
          where ${badges.game} = ${game} and ${badges.player} = ${player}
            and (select p.banned_at from players p where p.game = ${game} and p.player = ${player}) is null
          order by ${badges.threshold}, ${badges.badge}`,
      );
      return rows.map((row) => ({
        badge: row.badge,
        threshold: row.threshold,
        points: row.points,
        awardedAt: new Date(row.awarded_at).toISOString(),
      }));
    },
  };
}
