/** Awards, set-based: one statement a call (drizzle/functions/award_*.sql), insert or ignore. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { BadgeStore, NewBadge } from "../../services/badges/ports.ts";
import { BEFORE_ALL, bigintNumber, type Postgres } from "./client.ts";

const newBadge = z.object({ player: z.string(), badge: z.string() });
const nextRow = z.object({
  awarded: z.array(newBadge),
  judged: z.int(),
  behind: z.boolean(),
  settling: z.boolean(),
  feed_length: z.int().nullable(),
  moderated: z.boolean(),
});
const historyRow = z.object({ awarded: z.int(), judged: z.int(), last: z.string().nullable() });

export function createBadgeStore(postgres: Postgres): BadgeStore {
  return {
    award(game, submissionIds): Promise<NewBadge[]> {
      const ids = `{${submissionIds.join(",")}}`;
      return postgres.query(newBadge, sql`select * from award_submissions_v1(${game}, ${ids}::uuid[])`);
    },

    async awardNext(game, n) {
      const [row] = await postgres.query(
        nextRow,
        sql`select a.*, exists (select from corrections c where c.game = ${game}) as moderated
          from award_next_v1(${game}, ${n}) a`,
      );
      if (!row) throw new Error("award_next_v1 answers with one row");
      return { ...row, feedLength: row.feed_length ?? undefined };
    },

    async awardHistory(game, after, n) {
      const [row] = await postgres.query(
        historyRow,
        sql`select * from award_history_v1(${game}, ${after ?? BEFORE_ALL}::uuid, ${n})`,
      );
      if (!row) throw new Error("award_history_v1 answers with one row");
      return { awarded: row.awarded, judged: row.judged, next: row.judged === n ? (row.last ?? undefined) : undefined };
    },

    async missing(game) {
      const [row] = await postgres.query(
        z.object({ missing: bigintNumber }),
        sql`select count(*) as missing from (
            select distinct s.player, r.badge
            from badge_positions b
            join ranked_submissions s on s.game = b.game and s.id <= b.position
            join badge_rules r on r.game = s.game and r.threshold <= s.points
              and r.starts_at <= s.received_at and (r.ends_at is null or s.received_at < r.ends_at)
            where b.game = ${game}
          ) d where not exists (
            select from badges b where b.game = ${game} and b.player = d.player and b.badge = d.badge offset 0)`,
      );
      return row?.missing ?? 0;
    },

    async games(which) {
      const behind = sql`exists (select from submissions s where s.game = g.game and s.id > coalesce(
        (select least(b.position, r.verified_until) from badge_positions b
          join reconciliations r on r.game = b.game where b.game = g.game), ${BEFORE_ALL}::uuid))`;
      const moderated = sql`exists (select from corrections c where c.game = g.game)`;
      const rows = await postgres.query(
        z.object({ game: z.string() }),
        sql`select g.game from games g where ${which === "all" ? sql`true` : sql`${behind} or ${moderated}`} order by g.game`,
      );
      return rows.map(({ game }) => game);
    },
  };
}
