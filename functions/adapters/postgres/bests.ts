/** Pages of bests and the newest submissions: what a rebuild reads. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { BestsPager, Cursor } from "../../services/ports.ts";
import { bigintNumber, instantMs, type Postgres } from "./client.ts";
import { below, inOrder, newestEvents } from "./boards.ts";

const bestRow = z.object({
  player: z.string(),
  points: bigintNumber,
  achieved_at: instantMs,
  country: z.string().nullable(),
});

export function createBestsPager(postgres: Postgres): BestsPager {
  return {
    async page(game, board, after: Cursor | undefined, n) {
      const rows = await postgres.query(
        bestRow,
        sql`select b.player, b.points, b.achieved_at, b.country from bests b
          where b.game = ${game} and b.board = ${board} and ${after ? below(after) : sql`true`} ${inOrder} limit ${n}`,
      );
      return rows.map((row) => ({
        player: row.player,
        points: row.points,
        achievedAtMs: row.achieved_at,
        country: row.country ?? undefined,
      }));
    },
    newest: (game, n) => newestEvents(postgres, game, n, undefined),
  };
}
