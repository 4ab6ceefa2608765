/** Pages of bests and the newest submissions: what a rebuild reads. A banned player has no bests. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { MAX_POINTS } from "../../domain/board/score.ts";
import type { BestEntry, BestsPager, PartedEntry } from "../../services/healing/ports.ts";
import { boardOf, type Cursor } from "../../domain/board/board.ts";
import type { Postgres } from "./client.ts";
import { leftSegmentsColumn, partsOf, segmentsColumn } from "./entry-parts.ts";
import { compiledColumn, periodBoardRow, periodBoardsOf, toPeriodBoards } from "./period-boards.ts";
import { eventsAmong, moderatedOf, newestEvents } from "./boards.ts";

/** Columns instead of thousands of rows: a page costs the Worker four parses and little else. */
const pageRow = z.object({
  players: z.array(z.string()),
  points: z.array(z.int()),
  seconds: z.array(z.int()),
  countries: z.array(z.string().nullable()),
});

/** Above every entry: points have an upper bound. */
const FIRST = sql`${MAX_POINTS + 1}::bigint, 'infinity', ''`;

/** Above every strength. */
const FIRST_ENTRY = sql`${Number.MAX_SAFE_INTEGER}::bigint, '-infinity', ''`;

const textArray = (all: readonly string[]) => sql`${`{${all.join(",")}}`}::text[]`;

const ofBoardsRow = z.object({
  entries: z.array(z.tuple([z.string(), z.string(), z.int(), z.int(), segmentsColumn, leftSegmentsColumn])),
});

const boardsRow = z.object({
  boards: z.array(z.string()),
  compiled: compiledColumn,
  defined: z.array(periodBoardRow),
  counts: z.record(z.string(), z.int()),
});

const entriesRow = z.object({
  entries: z.array(z.tuple([z.string(), z.int(), z.int(), segmentsColumn, leftSegmentsColumn])),
});

/** Boards that the game g defined, with their players; those that lost all of them, too. */
const COUNTED = sql`select z.board, sum(z.players)::bigint as players from board_sizes z
  where z.game = g.game and strpos(z.board, '.') > 0 group by z.board`;

const following = ({ points, achievedAtMs, player }: Cursor) =>
  sql`${points}::bigint, ${new Date(achievedAtMs).toISOString()}, ${player}`;

function toEntries({ players, points, seconds, countries }: z.infer<typeof pageRow>): BestEntry[] {
  return players.map((player, i) => {
    const [own, second] = [points[i], seconds[i]];
    if (own === undefined || second === undefined) throw new Error("the columns of a page differ in length");
    return { player, points: own, achievedAtMs: second * 1000, country: countries[i] ?? undefined };
  });
}

export function createBestsPager(postgres: Postgres): BestsPager {
  return {
    async page(game, board, after: Cursor | undefined, n) {
      const [row] = await postgres.query(
        pageRow,
        sql`select * from bests_page_v1(${game}, ${board.name}, ${after ? following(after) : FIRST}, ${n})`,
      );
      if (!row) throw new Error("an aggregate without a row");
      return toEntries(row);
    },
    async boards(game, among) {
      const [row] = await postgres.query(
        boardsRow,
        sql`select array(
            select a.board from json_array_elements_text(${JSON.stringify(among.map(({ name }) => name))}::json) with ordinality a (board, nth)
            where exists (select from bests b where b.game = g.game and b.board = a.board) order by a.nth) as boards,
          g.boards as compiled,
          case when g.boards is null then '[]' else (${periodBoardsOf(sql`g.game`, COUNTED)}) end as defined,
          coalesce((select json_object_agg(k.board, k.players) from (${COUNTED}) k where g.boards is not null), '{}') as counts
          from games g where g.game = ${game}`,
      );
      return (
        row && {
          boards: row.boards.map((name) => boardOf(name)),
          defined: [...toPeriodBoards(row.compiled, row.defined).values()].map((periodBoard) => ({
            periodBoard,
            players: row.counts[periodBoard.key] ?? 0,
          })),
        }
      );
    },

    async parted(game, boards) {
      const keys = boards.flatMap(({ board, key }) => (board.segments.length > 0 ? [key] : []));
      const row = z.object({ board: z.string(), segment: z.string(), value: z.string() });
      const rows =
        keys.length === 0
          ? []
          : await postgres.query(row, sql`select * from parts_of_boards_v1(${game}, ${textArray(keys)})`);
      const parts = Map.groupBy(rows, ({ board }) => board);
      return boards.map((periodBoard) => ({
        periodBoard,
        parts: (parts.get(periodBoard.key) ?? []).map(({ segment, value }) => ({ segment, value })),
      }));
    },

    async entriesOf(game, boards) {
      const [row] = await postgres.query(
        ofBoardsRow,
        sql`select * from entries_of_boards_v1(${game}, ${textArray(boards.map(({ key }) => key))})`,
      );
      if (!row) throw new Error("an aggregate without a row");
      const found = new Map<string, PartedEntry[]>(boards.map(({ key }) => [key, []]));
      for (const [key, player, points, achievedAtMs, segments, left] of row.entries)
        found.get(key)?.push({ player, points, achievedAtMs, ...partsOf({ segments, left }) });
      return found;
    },

    async entries(game, { key }, after: Cursor | undefined, n) {
      const [row] = await postgres.query(
        entriesRow,
        sql`select * from entries_page_v1(${game}, ${key}, ${after ? following(after) : FIRST_ENTRY}, ${n})`,
      );
      if (!row) throw new Error("an aggregate without a row");
      return row.entries.map(([player, points, achievedAtMs, segments, left]) => ({
        player,
        points,
        achievedAtMs,
        ...partsOf({ segments, left }),
      }));
    },

    async moderated(game) {
      const [row] = await postgres.query(
        z.object({ moderated: z.string() }),
        sql`select coalesce(${moderatedOf(game)}, 1) as moderated`,
      );
      if (!row) throw new Error("a select without a row");
      return row.moderated;
    },

    newest: (game, n) => newestEvents(postgres, game, n),

    events: (game, submissionIds) =>
      eventsAmong(
        postgres,
        sql`ranked_submissions`,
        sql`s.game = ${game} and s.id = any(${`{${submissionIds.join(",")}}`}::uuid[])`,
      ),
  };
}
