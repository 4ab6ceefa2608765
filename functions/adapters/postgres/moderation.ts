/** What moderators do, each one statement (drizzle/functions), and what Redis has to be told about it. */
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { ALL_TIME, boardOf } from "../../domain/board/board.ts";
import type { Best } from "../../domain/board/ranking.ts";
import type { Correction, ModerationStore } from "../../services/moderation/ports.ts";
import { eventsAmong, moderatedOf } from "./boards.ts";
import { bigintNumber, instantMs, type Postgres } from "./client.ts";
import { partsOf, segmentsColumn } from "./entry-parts.ts";
import { compiledColumn, periodBoardRow, periodBoardsOf, toPeriodBoards } from "./period-boards.ts";

const done = z.object({ done: z.boolean() });
const decided = z.object({
  result: z.enum(["done", "unknown-game", "unknown-submission"]),
  player: z.string().nullable(),
});
const heldRow = z.object({
  id: z.string(),
  player: z.string(),
  points: bigintNumber,
  best: bigintNumber.nullable(),
  week: z.string(),
  country: z.string().nullable(),
  submitted_at: instantMs,
});
const bestOfCorrection = z.object({
  board: z.string(),
  points: z.number(),
  second: z.number(),
  country: z.string().nullable(),
});
const correctionRow = z.object({
  player: z.string(),
  at: z.string(),
  weeks: z.record(z.string(), z.array(z.string())),
  forget: z.boolean(),
  submissions: z.array(z.string()),
  moderated: z.string(),
  bests: z.array(bestOfCorrection),
  named: z.record(z.string(), z.record(z.string(), z.array(z.string()))).nullable(),
  compiled: compiledColumn,
  defined: z.array(periodBoardRow),
  entries: z.array(z.tuple([z.string(), z.int(), z.int(), segmentsColumn])),
});

/** The boards that the game defined on which Redis may have the player. */
function toDefined({
  player,
  named,
  compiled,
  defined,
  entries,
}: z.infer<typeof correctionRow>): Correction["defined"] {
  const held = new Map(
    entries.map(([key, points, achievedAtMs, segments]) => [key, { points, achievedAtMs, segments }]),
  );
  return [...toPeriodBoards(compiled, defined).values()].map((periodBoard) => {
    const found = held.get(periodBoard.key);
    const { parts } = partsOf({ segments: found?.segments ?? null, left: null });
    const ever = Object.entries(named?.[periodBoard.key] ?? {});
    return {
      periodBoard,
      entry: found && { player, points: found.points, achievedAtMs: found.achievedAtMs },
      parts,
      everIn: ever.flatMap(([segment, values]) => values.map((value) => ({ segment, value }))),
    };
  });
}

function toCorrection(row: z.infer<typeof correctionRow>): Correction {
  const bests = new Map(row.bests.map((best) => [best.board, best]));
  const best = (board: string): Best | undefined => {
    const found = bests.get(board);
    return found && { points: found.points, achievedAtMs: found.second * 1000 };
  };
  return {
    player: row.player,
    at: row.at,
    moderated: row.moderated,
    forget: row.forget,
    submissions: row.submissions,
    defined: toDefined(row),
    boards: [
      { board: ALL_TIME, best: best(ALL_TIME.name), country: undefined, countries: [] },
      ...Object.entries(row.weeks).map(([week, countries]) => {
        const country = bests.get(week)?.country ?? undefined;
        const all = new Set(country === undefined ? countries : [...countries, country]);
        return { board: boardOf(week), best: best(week), country, countries: [...all].sort() };
      }),
    ],
  };
}

export function createModerationStore(postgres: Postgres): ModerationStore {
  const ask = async (call: SQL) => {
    const [row] = await postgres.query(done, sql`select ${call} as done`);
    return row?.done ?? false;
  };
  const corrections = async (game: string, which: SQL) => {
    const rows = await postgres.query(
      correctionRow,
      sql`select c.player, c.at::text as at, c.weeks, c.forget, to_jsonb(c.submissions) as submissions,
          coalesce(${moderatedOf(game)}, 1) as moderated,
          coalesce((
            select jsonb_agg(jsonb_build_object('board', b.board, 'points', b.points, 'country', b.country,
              'second', extract(epoch from b.achieved_at)::bigint) order by b.board)
            from bests b where b.game = c.game and b.player = c.player
              and (b.board = ${ALL_TIME.name} or b.board in (select jsonb_object_keys(c.weeks)))
          ), '[]') as bests,
          c.boards as named,
          case when c.boards is not null then (select g.boards from games g where g.game = c.game) end as compiled,
          case when c.boards is null then '[]' else (${periodBoardsOf(
            sql`c.game`,
            sql`select o.key as board from jsonb_object_keys(c.boards) o (key)`,
          )}) end as defined,
          coalesce((
            select json_agg(json_build_array(b.board, b.points, ms_of_v1(b.achieved_at), b.segments))
            from jsonb_object_keys(c.boards) o (key) cross join lateral (
              select * from bests t where t.game = c.game and t.board = o.key collate "C" and t.player = c.player limit 1) b
          ), '[]') as entries
        from corrections c where c.game = ${game} and ${which}`,
    );
    return rows.map(toCorrection);
  };
  return {
    async ban(game, player, by) {
      const [row] = await postgres.query(
        done.extend({ known: z.boolean() }),
        sql`select ban_player_v1(${game}, ${player}, ${by}) as done,
          exists(select from submissions s where s.game = ${game} and s.player = ${player}) as known`,
      );
      return row?.done ? { known: row.known } : undefined;
    },

    unban: (game, player, by) => ask(sql`unban_player_v1(${game}, ${player}, ${by})`),
    deletePlayer: (game, player, by) => ask(sql`delete_player_v1(${game}, ${player}, ${by})`),

    async decide(game, submissionId, state, by) {
      const [row] = await postgres.query(
        decided,
        sql`select * from decide_submission_v1(${game}, ${submissionId}::uuid, ${state}, ${by})`,
      );
      if (!row || row.result !== "done" || row.player === null) {
        return { result: row?.result === "unknown-game" ? "unknown-game" : "unknown-submission" };
      }
      return { result: "done", player: row.player };
    },

    async held(game, n, after) {
      const rows = await postgres.query(
        heldRow,
        sql`select s.id, s.player, s.points, b.points as best, s.week, s.country, s.submitted_at
          from submissions s left join lateral (
            select t.points from bests t where t.game = s.game and t.board = ${ALL_TIME.name} and t.player = s.player limit 1
          ) b on true
          where s.game = ${game} and s.state = 'held' and ${after ? sql`s.id > ${after}::uuid` : sql`true`}
          order by s.id limit ${n}`,
      );
      return rows.map((row) => ({
        submissionId: row.id,
        player: row.player,
        points: row.points,
        best: row.best,
        week: row.week,
        country: row.country,
        submittedAt: new Date(row.submitted_at).toISOString(),
      }));
    },

    async event(game, submissionId) {
      const one = sql`(select t.* from ranked_submissions t where t.game = ${game} and t.id = ${submissionId}::uuid)`;
      return (await eventsAmong(postgres, one, sql`true`))[0];
    },

    async corrections(game, after, n) {
      const behind = after ? sql`(c.at, c.player) > (${after.at}::timestamptz, ${after.player})` : sql`true`;
      return corrections(game, sql`${behind} order by c.at, c.player limit ${n}`);
    },

    correctionsOf: (game, players) =>
      corrections(
        game,
        sql`c.player in (select p collate "C" from json_array_elements_text(${JSON.stringify(players)}::json) p)`,
      ),

    async deleteCorrections(game, settled, olderThanSeconds) {
      const those = JSON.stringify(settled.map(({ player, at }) => ({ player, at })));
      const [row] = await postgres.query(
        z.object({ left: bigintNumber }),
        sql`select delete_corrections_v1(${game}, ${those}, make_interval(secs => ${olderThanSeconds})) as left`,
      );
      return row?.left ?? 0;
    },

    async raiseModerated(game, to) {
      await postgres.query(
        z.unknown(),
        sql`update games set moderated = ${to}::bigint where game = ${game} and moderated < ${to}::bigint`,
      );
    },

    async nextSigningKey(game, by) {
      const [row] = await postgres.query(
        z.object({ signing_key: z.int() }),
        sql`with next as (
            update games set signing_key = signing_key + 1, signing_key_at = now() where game = ${game}
            returning signing_key),
          logged as (
            insert into moderation_log (game, action, by, detail)
            select ${game}, 'signing-key', ${by}, jsonb_build_object('key', n.signing_key) from next n)
          select signing_key from next`,
      );
      return row?.signing_key;
    },
  };
}
