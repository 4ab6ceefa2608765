/**
 * Awards, set-based: one statement a call, insert or ignore, answering with what was really new. What counts are the
 * submissions as Postgres has them; an id that is gone (moderation) or a banned player earns nothing.
 */
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { BadgeStore, NewBadge } from "../../services/ports.ts";
import { bigintNumber, type Postgres } from "./client.ts";

/** Ids are made and committed by transactions; one this old is committed, unless it shows in pg_stat_activity. */
const SETTLE_SECONDS = 10;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

const newBadge = z.object({ player: z.string(), badge: z.string() });
const newBadges = z.array(newBadge);

/** The rule that was in force when the submission was received. */
const RULE_THEN = sql`r.starts_at <= s.received_at and (r.ends_at is null or s.received_at < r.ends_at)`;
/** The rule that is in force now, whenever it began. */
const RULE_NOW = sql`r.ends_at is null`;
const COUNTS = sql`not exists (
  select from players p where p.game = s.game and p.player = s.player and p.banned_at is not null)`;

/** Badges that the submissions of `among` deserve, a player's earliest submission first; `among` names them s. */
const deserved = (game: string, among: SQL, rule: SQL) => sql`
  select distinct on (s.player, r.badge) s.player, r.badge, r.threshold, s.points, s.id
  from ${among} join badge_rules r on r.game = ${game} and r.threshold <= s.points and ${rule}
  where ${COUNTS} order by s.player, r.badge, s.id`;

/** In the order of the key: two runs that meet wait for each other, never in a circle. */
const award = (game: string, among: SQL, rule: SQL) => sql`
  insert into badges (game, player, badge, threshold, points, submission_id)
  select ${game}, d.player, d.badge, d.threshold, d.points, d.id
  from (${deserved(game, among, rule)}) d order by d.player, d.badge
  on conflict do nothing returning player, badge`;

/** The lowest id of an instant: a UUIDv7 begins with unix milliseconds. */
const idAt = (instant: SQL) =>
  sql`(lpad(to_hex((extract(epoch from ${instant}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;

/** No submission below this id can still appear: none is being written by a transaction that began before it. */
const SETTLED = idAt(sql`least(now() - make_interval(secs => ${sql.raw(String(SETTLE_SECONDS))}), (
  select min(a.xact_start) from pg_stat_activity a
  where a.datname = current_database() and a.backend_xid is not null and a.pid <> pg_backend_pid()))`);

const nextRow = z.object({
  awarded: newBadges,
  judged: bigintNumber,
  behind: z.boolean(),
  settling: z.boolean(),
  feed_length: z.int(),
});
const historyRow = z.object({ awarded: bigintNumber, judged: bigintNumber, last: z.string().nullable() });

export function createBadgeStore(postgres: Postgres): BadgeStore {
  return {
    award(game, submissionIds): Promise<NewBadge[]> {
      const ids = `{${submissionIds.join(",")}}`;
      const among = sql`(select * from submissions t where t.game = ${game} and t.id = any(${ids}::uuid[])) s`;
      return postgres.query(newBadge, award(game, among, RULE_THEN));
    },

    async awardNext(game, n) {
      const [row] = await postgres.query(
        nextRow,
        sql`with start as (
            select coalesce((select position from badge_positions where game = ${game}), ${BEFORE_ALL}::uuid) as id,
              ${SETTLED} as settled),
          page as materialized (
            select t.* from submissions t
            where t.game = ${game} and t.id > (select id from start) and t.id < (select settled from start)
            order by t.id limit ${n}),
          reached as (select (select id from page order by id desc limit 1) as id, (select count(*) from page) as judged),
          awarded as (${award(game, sql`page s`, RULE_THEN)}),
          moved as (
            insert into badge_positions as b (game, position)
            select ${game}, reached.id from reached where reached.id is not null
            on conflict (game) do update set position = excluded.position, updated_at = now()
            where excluded.position > b.position)
          select coalesce((select json_agg(json_build_object('player', a.player, 'badge', a.badge)) from awarded a),
              '[]') as awarded,
            reached.judged, reached.judged = ${n} as behind,
            exists (select from submissions t, start where t.game = ${game}
              and t.id > start.id and t.id >= start.settled) as settling,
            (select feed_length from games where game = ${game}) as feed_length
          from reached`,
      );
      if (!row) throw new Error("a statement without conditions gave no row");
      return { ...row, feedLength: row.feed_length };
    },

    async awardHistory(game, after, n) {
      const [row] = await postgres.query(
        historyRow,
        sql`with page as materialized (
            select t.* from submissions t where t.game = ${game} and t.id > ${after ?? BEFORE_ALL}::uuid
            order by t.id limit ${n}),
          awarded as (${award(game, sql`page s`, RULE_NOW)})
          select (select count(*) from awarded) as awarded, (select count(*) from page) as judged,
            (select id from page order by id desc limit 1) as last`,
      );
      const { awarded, judged, last } = row ?? { awarded: 0, judged: 0, last: null };
      return { awarded, judged, next: judged === n ? (last ?? undefined) : undefined };
    },

    awardPlayer(game, player): Promise<NewBadge[]> {
      const among = sql`(select * from submissions t where t.game = ${game} and t.player = ${player}) s`;
      return postgres.query(newBadge, award(game, among, RULE_THEN));
    },

    async missing(game) {
      const judged = sql`(select t.* from submissions t join badge_positions b on b.game = t.game
        where t.game = ${game} and t.id <= b.position) s`;
      const [row] = await postgres.query(
        z.object({ missing: bigintNumber }),
        sql`select count(*) as missing from (${deserved(game, judged, RULE_THEN)}) d
          where not exists (
            select from badges b where b.game = ${game} and b.player = d.player and b.badge = d.badge)`,
      );
      return row?.missing ?? 0;
    },

    async games(which) {
      const behind = sql`exists (select from submissions s where s.game = g.game and s.id > coalesce(
        (select least(b.position, r.verified_until) from badge_positions b
          join reconciliations r on r.game = b.game where b.game = g.game), ${BEFORE_ALL}::uuid))`;
      const rows = await postgres.query(
        z.object({ game: z.string() }),
        sql`select g.game from games g where ${which === "all" ? sql`true` : behind} order by g.game`,
      );
      return rows.map(({ game }) => game);
    },
  };
}
