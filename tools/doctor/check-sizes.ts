/** The number of players that Postgres keeps of every board, finished weeks among them, against the entries themselves. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { bigintNumber } from "../../functions/adapters/postgres/client.ts";
import type { Problem } from "./problem.ts";
import type { Stores } from "./stores.ts";

const row = z.object({ board: z.string(), entries: bigintNumber, kept: bigintNumber });

/** One statement, so that both numbers are of one moment. Reads an index of all of the game's entries. */
export async function checkSizes({ postgres }: Stores, game: string): Promise<Problem[]> {
  const wrong = await postgres.query(
    row,
    sql`select board, coalesce(b.n, 0) as entries, coalesce(z.n, 0) as kept
      from (select board, count(*) as n from bests where game = ${game} group by board) b
      full join (select board, sum(players)::bigint as n from board_sizes where game = ${game} group by board) z
        using (board)
      where coalesce(b.n, 0) <> coalesce(z.n, 0) order by board`,
  );
  return wrong.map(({ board, entries, kept }): Problem => ({
    check: "size",
    game,
    board,
    detail: `Postgres counts ${kept} players of ${entries}`,
    repair: () => postgres.query(z.unknown(), sql`select recount_board_v1(${game}, ${board})`),
  }));
}
