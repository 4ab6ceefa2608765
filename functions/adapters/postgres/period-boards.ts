/** Which boards that a game defined have entries, in which periods. */
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { periodBoardOf, type PeriodBoard } from "../../domain/board/period-board.ts";
import { CompiledBoard } from "./definition-rows.ts";

/** `games.boards`; null: the game never defined any. */
export const compiledColumn = z.array(CompiledBoard).nullable();

/** Board key, bounds of its period, unit of time. */
export const periodBoardRow = z.tuple([z.string(), z.int(), z.int(), z.int()]);

const nameOf = (key: SQL) => sql`split_part(split_part(${key}, '.', 1), '~', 1) collate "C"`;

/** A query of one array of `periodBoardRow`: of the keys that `keys` selects as k.board. */
export const periodBoardsOf = (game: SQL, keys: SQL): SQL => sql`
  select coalesce(json_agg(json_build_array(k.board, ms_of_v1(p.starts_at), ms_of_v1(p.ends_at), p.unit_ms) order by k.board), '[]')
  from (${keys}) k
  join periods p on p.game = ${game} and p.board = ${nameOf(sql`k.board`)} and p.period = split_part(k.board, '.', 2) collate "C"`;

/** Keys of boards whose definition was deleted are left out: they are on no board any more. */
export function toPeriodBoards(
  compiled: z.infer<typeof compiledColumn>,
  rows: readonly z.infer<typeof periodBoardRow>[],
): Map<string, PeriodBoard> {
  const byName = new Map((compiled ?? []).map((board) => [board.name, board]));
  return new Map(
    rows.flatMap(([key, startsAtMs, endsAtMs, unitMs]) => {
      const board = byName.get(key.split(/[~.]/)[0] ?? "");
      return board ? [[key, periodBoardOf(board, key, { startsAtMs, endsAtMs, unitMs })]] : [];
    }),
  );
}
