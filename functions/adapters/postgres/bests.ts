/** Pages of bests and the newest submissions: what a rebuild reads. A banned player has no bests. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { BestsPager, Cursor } from "../../services/ports.ts";
import type { Postgres } from "./client.ts";
import { below, inOrder, eventsAmong, newestEvents } from "./boards.ts";

/** One JSON array instead of thousands of rows: a page costs the Worker a parse and little else. */
const pageRow = z.object({
  entries: z.array(z.tuple([z.string(), z.int(), z.int(), z.string().nullable()])),
  now_us: z.string(),
});

export function createBestsPager(postgres: Postgres): BestsPager {
  return {
    async page(game, board, after: Cursor | undefined, n) {
      const [row] = await postgres.query(
        pageRow,
        sql`select coalesce(json_agg(json_build_array(b.player, b.points, extract(epoch from b.achieved_at)::bigint,
            b.country) ${inOrder}), '[]') as entries, (extract(epoch from clock_timestamp()) * 1000000)::bigint as now_us
          from (select b.* from bests b
            where b.game = ${game} and b.board = ${board} and ${after ? below(after) : sql`true`}
            ${inOrder} limit ${n}) b`,
      );
      if (!row) throw new Error("an aggregate without a row");
      return {
        nowUs: row.now_us,
        entries: row.entries.map(([player, points, second, country]) => ({
          player,
          points,
          achievedAtMs: second * 1000,
          country: country ?? undefined,
        })),
      };
    },
    async boards(game, among) {
      const rows = await postgres.query(
        z.object({ board: z.string() }),
        sql`select a.board from json_array_elements_text(${JSON.stringify(among)}::json) with ordinality a (board, nth)
          where exists (select from bests b where b.game = ${game} and b.board = a.board) order by a.nth`,
      );
      return rows.map(({ board }) => board);
    },

    newest: (game, n) => newestEvents(postgres, game, n, undefined),

    events: (game, submissionIds) =>
      eventsAmong(
        postgres,
        sql`ranked_submissions`,
        sql`s.game = ${game} and s.id = any(${`{${submissionIds.join(",")}}`}::uuid[])`,
      ),
  };
}
