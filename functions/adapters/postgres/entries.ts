/** Boards that games defined, as Postgres has them: rows of `bests` with strengths. The same answers as those of Redis. */
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { BoardPage, PageReader, PeriodPart } from "../../services/boards/ports.ts";
import { moderatedOf } from "./boards.ts";
import { bigintNumber, type Postgres } from "./client.ts";
import { AHEAD, below, inOrder, onBoard, sizeOf, summedOf, summedRow, versionOfRows } from "./entry-rows.ts";

const pageRow = z.object({
  size: bigintNumber,
  moderated: z.string(),
  summed: summedRow,
  ahead: bigintNumber,
  more: bigintNumber,
  entries: z.array(z.tuple([z.string(), z.int(), z.int()])),
});

export function createEntryReader(postgres: Postgres): PageReader<PeriodPart> {
  /** `page` selects entries of the board, which are named b. */
  async function read(game: string, { board, part }: PeriodPart, page: SQL): Promise<BoardPage> {
    const [row] = await postgres.query(
      pageRow,
      sql`with board as not materialized (
          select b.player, b.points, b.achieved_at from bests b where ${onBoard(game, board.key, part)}),
        size as (${sizeOf(game, board.key, part)}),
        page as materialized (${page}),
        first as (select b.* from page b ${inOrder} limit 1)
        select (select n from size) as size, coalesce(${moderatedOf(game)}, 1) as moderated,
          (${summedOf(game, board)}) as summed,
          (select count(*) from board b, first f where ${AHEAD}) as ahead,
          (select count(*) from board b, first f where b.points > f.points) as more,
          (select coalesce(json_agg(json_build_array(b.player, b.points, ms_of_v1(b.achieved_at)) ${inOrder}), '[]')
            from page b) as entries`,
    );
    if (!row) throw new Error("an aggregate without a row");
    const isEmpty = row.entries.length === 0;
    return {
      boardSize: row.size,
      version: versionOfRows(board, row.moderated, row.summed),
      firstRank: isEmpty ? 0 : row.ahead + 1,
      firstCompetitionRank: isEmpty ? 0 : row.more + 1,
      entries: row.entries.map(([player, points, achievedAtMs]) => ({ player, points, achievedAtMs })),
    };
  }

  return {
    top: (game, board, n, after) =>
      read(game, board, sql`select b.* from board b where ${after ? below(after) : sql`true`} ${inOrder} limit ${n}`),

    around(game, board, player, k) {
      const width = 2 * k + 1;
      return read(
        game,
        board,
        sql`select b.* from board b where exists (select from board o where o.player = ${player}) ${inOrder}
          limit ${width} offset (select greatest(0, least(count(*) - ${k}, (select n from size) - ${width}))
            from board b, board f where f.player = ${player} and ${AHEAD})`,
      );
    },

    async count(game, { board, part }) {
      const [row] = await postgres.query(z.object({ n: bigintNumber }), sizeOf(game, board.key, part));
      const ranked = row?.n ?? 0;
      return { estimate: ranked, ranked };
    },
  };
}
