/** What reconciling reads and notes in Postgres; docs/healing.md has the argument why it is enough. */
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { ALL_TIME, boardOf } from "../../domain/board/board.ts";
import type { ReconciliationStore, WindowEntry } from "../../services/healing/ports.ts";
import { eventsAmong, moderatedOf, newestSubmissions } from "./boards.ts";
import type { Postgres } from "./client.ts";
import { BEFORE_ALL } from "./client.ts";
import { leftSegmentsColumn, partsOf, segmentsColumn } from "./entry-parts.ts";
import { compiledColumn, periodBoardRow, periodBoardsOf, toPeriodBoards } from "./period-boards.ts";

/** Longer than a call that was given up can still be on its way (deadlines: Postgres 5 s, Redis 2 s). */
const SETTLE_SECONDS = 10;

/** The lowest id of an instant: a UUIDv7 begins with unix milliseconds. */
const idAt = (instant: SQL) =>
  sql`(lpad(to_hex((extract(epoch from ${instant}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;

/** A first call is gone by then, or late enough to look for the double of its event (LATE_MS of the library). */
const FIRST_CALL_SECONDS = 2;

/** No submission below this id can still appear: none is being written by a transaction that began before it. */
const SETTLED = idAt(sql`least(now() - make_interval(secs => ${sql.raw(String(SETTLE_SECONDS))}), (
  select min(a.xact_start) from pg_stat_activity a
  where a.datname = current_database() and a.backend_xid is not null and a.pid <> pg_backend_pid()))`);

const ARRIVED = idAt(sql`now() - make_interval(secs => ${sql.raw(String(FIRST_CALL_SECONDS))})`);

const stateRow = z.object({
  verified: z.string(),
  settled: z.string(),
  arrived: z.string(),
  newest: z.string().nullable(),
  feed_length: z.int(),
});

const windowRow = z.object({
  last: z.string().nullable(),
  moderated: z.string(),
  bests: z.array(
    z.tuple([z.string(), z.string(), z.int(), z.int(), z.string().nullable(), z.array(z.string()), z.string()]),
  ),
  compiled: compiledColumn,
  defined: z.array(periodBoardRow),
  entries: z.array(z.tuple([z.string(), z.string(), z.int(), z.int(), segmentsColumn, leftSegmentsColumn])),
});

/** Entries on boards that the game defined, of the players whose submissions are in the page. */
function toEntries({ compiled, defined, entries }: z.infer<typeof windowRow>): WindowEntry[] {
  const boards = toPeriodBoards(compiled, defined);
  return entries.flatMap(([key, player, points, achievedAtMs, segments, left]) => {
    const periodBoard = boards.get(key);
    return periodBoard ? [{ periodBoard, player, points, achievedAtMs, ...partsOf({ segments, left }) }] : [];
  });
}

export function createReconciliationStore(postgres: Postgres): ReconciliationStore {
  return {
    /**
     * A statement of its own, before the one that reads a window: what a transaction that is no longer seen here has
     * committed is in the snapshot of the next statement.
     */
    async state(game) {
      const [row] = await postgres.query(
        stateRow,
        sql`select coalesce(r.verified_until, ${BEFORE_ALL}::uuid) as verified, ${SETTLED} as settled, ${ARRIVED} as arrived, g.feed_length,
            (select s.id from submissions s where s.game = g.game order by s.id desc limit 1) as newest
          from games g left join reconciliations r on r.game = g.game where g.game = ${game}`,
      );
      return row && { ...row, newest: row.newest ?? undefined, feedLength: row.feed_length };
    },

    async window(game, after, n) {
      const [row] = await postgres.query(
        windowRow,
        sql`with page as materialized (
            select s.id, s.player, s.week from submissions_after_v1(${game}, ${after}::uuid, ${n}) s),
          touched as (
            select p.week as board, p.player from page p union select ${ALL_TIME.name}, p.player from page p),
          game as materialized (select g.boards from games g where g.game = ${game}),
          entered as materialized (
            select distinct o.key as board, p.player from page p
            cross join lateral (
              select s.boards from submissions s where s.game = ${game} and s.id = p.id and s.boards is not null limit 1) s
            cross join lateral jsonb_object_keys(s.boards) o (key)
            where (select g.boards from game g) is not null)
          select (select p.id from page p order by p.id desc limit 1) as last,
            coalesce(${moderatedOf(game)}, 1) as moderated,
            coalesce((
              select json_agg(json_build_array(e.board, e.player, b.points, ms_of_v1(b.achieved_at), b.segments, b.left_segments))
              from entered e cross join lateral (select * from bests b
                where b.game = ${game} and b.board = e.board collate "C" and b.player = e.player limit 1) b
            ), '[]') as entries,
            (select g.boards from game g) as compiled,
            (${periodBoardsOf(sql`${game}`, sql`select distinct e.board from entered e`)}) as defined,
            coalesce((
              select json_agg(json_build_array(b.board, b.player, b.points,
                extract(epoch from b.achieved_at)::bigint, b.country, b.left_countries, b.submission_id))
              from touched t cross join lateral (select * from bests b
                where b.game = ${game} and b.board = t.board and b.player = t.player limit 1) b
            ), '[]') as bests`,
      );
      if (!row) throw new Error("an aggregate without a row");
      return {
        last: row.last ?? undefined,
        moderated: row.moderated,
        entries: toEntries(row),
        bests: row.bests.map(([board, player, points, second, country, leftCountries, submissionId]) => ({
          board: boardOf(board),
          submissionId,
          player,
          points,
          achievedAtMs: second * 1000,
          country: country ?? undefined,
          leftCountries: leftCountries.filter((left) => left !== country),
        })),
      };
    },

    newest: (game, after, before, n) =>
      eventsAmong(postgres, newestSubmissions(game, n), sql`s.id > ${after}::uuid and s.id < ${before}::uuid`),

    async advance(game, to, witnesses, oldestWeek) {
      const rows = witnesses.map(({ board, country, player, submissionId }) => [
        board,
        country ?? "",
        player,
        submissionId,
      ]);
      await postgres.query(
        z.unknown(),
        sql`with noted as (
            insert into witnesses as w (game, board, country, player, submission_id)
            select ${game}, r->>0, r->>1, r->>2, (r->>3)::uuid from json_array_elements(${JSON.stringify(rows)}::json) r
            order by 2, 3
            on conflict (game, board, country) do update
            set player = excluded.player, submission_id = excluded.submission_id
            where excluded.submission_id > w.submission_id),
          deleted as (delete from witnesses where game = ${game} and board < ${oldestWeek})
          insert into reconciliations as r (game, verified_until) values (${game}, ${to}::uuid)
          on conflict (game) do update set verified_until = excluded.verified_until, updated_at = now()
          where excluded.verified_until > r.verified_until`,
      );
    },
  };
}
