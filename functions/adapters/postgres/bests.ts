/** Pages of bests and the newest submissions: what a rebuild reads. A banned player has no bests. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { MAX_POINTS } from "../../domain/board/score.ts";
import type { BestEntry, BestsPager } from "../../services/healing/ports.ts";
import { boardOf, type Cursor } from "../../domain/board/board.ts";
import type { Postgres } from "./client.ts";
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
        z.object({ boards: z.array(z.string()) }),
        sql`select array(
            select a.board from json_array_elements_text(${JSON.stringify(among.map(({ name }) => name))}::json) with ordinality a (board, nth)
            where exists (select from bests b where b.game = g.game and b.board = a.board) order by a.nth) as boards
          from games g where g.game = ${game}`,
      );
      return row?.boards.map((name) => boardOf(name));
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
