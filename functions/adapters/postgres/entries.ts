/** Boards that games defined, as Postgres has them: rows of `bests` with strengths, in the order of `bests_order`. */
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { RawEntry } from "../../domain/board/board.ts";
import type { Part } from "../../domain/board/period-board.ts";
import type { EntryPage, EntryReader } from "../../services/boards/defined-ports.ts";
import { bigintNumber, type Postgres } from "./client.ts";

const inOrder = sql`order by b.points desc, b.achieved_at, b.player desc`;

/** `points >= 0` says that the rows may be read by `bests_order` (drizzle/schema/bests.ts). */
function onBoard(game: string, key: string, part: Part | undefined): SQL {
  const whole = sql`b.game = ${game} and b.board = ${key} and b.points >= 0`;
  return part ? sql`${whole} and b.segments ->> ${part.segment} = ${part.value}` : whole;
}

/** Sizes of parts are not kept, so those are counted. */
function sizeOf(game: string, key: string, part: Part | undefined): SQL {
  if (part) return sql`select count(*) as n from bests b where ${onBoard(game, key, part)}`;
  return sql`select coalesce(sum(z.players), 0)::bigint as n from board_sizes z where z.game = ${game} and z.board = ${key}`;
}

function below({ points, achievedAtMs, player }: RawEntry): SQL {
  const at = new Date(achievedAtMs).toISOString();
  return sql`b.points <= ${points} and (b.points < ${points} or b.achieved_at > ${at}::timestamptz
    or (b.achieved_at = ${at}::timestamptz and b.player < ${player}))`;
}

const AHEAD = sql`b.points >= f.points and (b.points > f.points or b.achieved_at < f.achieved_at
  or (b.achieved_at = f.achieved_at and b.player > f.player))`;

const pageRow = z.object({
  size: bigintNumber,
  ahead: bigintNumber,
  more: bigintNumber,
  entries: z.array(z.tuple([z.string(), z.int(), z.int()])),
});

export function createEntryReader(postgres: Postgres): EntryReader {
  /** `page` selects entries of the board, which are named b. */
  async function read(game: string, key: string, part: Part | undefined, page: SQL): Promise<EntryPage> {
    const [row] = await postgres.query(
      pageRow,
      sql`with board as not materialized (
          select b.player, b.points, b.achieved_at from bests b where ${onBoard(game, key, part)}),
        size as (${sizeOf(game, key, part)}),
        page as materialized (${page}),
        first as (select b.* from page b ${inOrder} limit 1)
        select (select n from size) as size,
          (select count(*) from board b, first f where ${AHEAD}) as ahead,
          (select count(*) from board b, first f where b.points > f.points) as more,
          (select coalesce(json_agg(json_build_array(b.player, b.points, ms_of_v1(b.achieved_at)) ${inOrder}), '[]')
            from page b) as entries`,
    );
    if (!row) throw new Error("an aggregate without a row");
    const isEmpty = row.entries.length === 0;
    return {
      boardSize: row.size,
      firstRank: isEmpty ? 0 : row.ahead + 1,
      firstCompetitionRank: isEmpty ? 0 : row.more + 1,
      entries: row.entries.map(([player, points, achievedAtMs]) => ({ player, points, achievedAtMs })),
    };
  }

  return {
    top: (game, key, part, n, after) =>
      read(
        game,
        key,
        part,
        sql`select b.* from board b where ${after ? below(after) : sql`true`} ${inOrder} limit ${n}`,
      ),

    around(game, key, part, player, k) {
      const width = 2 * k + 1;
      return read(
        game,
        key,
        part,
        sql`select b.* from board b where exists (select from board o where o.player = ${player}) ${inOrder}
          limit ${width} offset (select greatest(0, least(count(*) - ${k}, (select n from size) - ${width}))
            from board b, board f where f.player = ${player} and ${AHEAD})`,
      );
    },

    async count(game, key, part) {
      const [row] = await postgres.query(z.object({ n: bigintNumber }), sizeOf(game, key, part));
      return row?.n ?? 0;
    },
  };
}
