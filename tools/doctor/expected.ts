/** What a board and its parts have to hold by Postgres: raw scores as Redis keeps them. */
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Postgres } from "../../functions/adapters/postgres/client.ts";
import type { Board } from "../../functions/domain/board/board.ts";
import { packScore } from "../../functions/domain/board/score.ts";

export type Expected = {
  readonly score: number;
  readonly points: number;
  readonly achievedAtMs: number;
  readonly country: string | undefined;
  readonly leftCountries: readonly string[];
};

const PAGE = 20_000;
const row = z.object({
  entries: z.array(z.tuple([z.string(), z.int(), z.int(), z.string().nullable(), z.array(z.string())])),
});

async function select(postgres: Postgres, game: string, board: Board, which: SQL): Promise<Map<string, Expected>> {
  const [page] = await postgres.query(
    row,
    sql`select coalesce(json_agg(json_build_array(b.player, b.points, extract(epoch from b.achieved_at)::bigint,
        b.country, b.left_countries)), '[]') as entries
      from (select * from bests b where b.game = ${game} and b.board = ${board.name} and ${which} order by b.player
        limit ${PAGE}) b`,
  );
  return new Map(
    (page?.entries ?? []).map(([player, points, second, country, leftCountries]) => [
      player,
      {
        score: packScore(board, { points, achievedAtMs: second * 1000 }),
        points,
        achievedAtMs: second * 1000,
        country: country ?? undefined,
        leftCountries,
      },
    ]),
  );
}

/** The players among `players`, at most a page of them, that Postgres has on the board. */
export function expectedOf(postgres: Postgres, game: string, board: Board, players: readonly string[]) {
  return select(
    postgres,
    game,
    board,
    sql`b.player in (select json_array_elements_text(${JSON.stringify(players)}::json))`,
  );
}

/** All of them. */
export async function* expectedPages(postgres: Postgres, game: string, board: Board) {
  let after = "";
  for (;;) {
    const page = await select(postgres, game, board, sql`b.player > ${after}`);
    if (page.size > 0) yield page;
    if (page.size < PAGE) return;
    after = [...page.keys()].at(-1) ?? after;
  }
}
