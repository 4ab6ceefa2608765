/** The number of players that Postgres keeps of a board, against the entries themselves. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { bigintNumber } from "../../functions/adapters/postgres/client.ts";
import type { Problem } from "./problem.ts";
import type { Stores } from "./stores.ts";

const row = z.object({ entries: bigintNumber, kept: bigintNumber });

/** One statement, so that both numbers are of one moment. */
export async function checkSize({ postgres }: Stores, game: string, board: string): Promise<Problem[]> {
  const [found] = await postgres.query(
    row,
    sql`select (select count(*) from bests b where b.game = ${game} and b.board = ${board}) as entries,
      (select coalesce(sum(z.players), 0)::bigint from board_sizes z
        where z.game = ${game} and z.board = ${board}) as kept`,
  );
  if (!found || found.entries === found.kept) return [];
  const repair = () => postgres.query(z.unknown(), sql`select recount_board_v1(${game}, ${board})`);
  return [{ check: "size", game, board, detail: `Postgres counts ${found.kept} players of ${found.entries}`, repair }];
}
