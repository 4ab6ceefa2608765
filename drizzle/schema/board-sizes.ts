import { bigint, pgTable, primaryKey, smallint } from "drizzle-orm/pg-core";
import { byteText } from "./columns.ts";

/**
 * How many players a board has: the sum of its slots, kept by triggers on `bests`. Submissions that
 * come at once write different slots, so that none waits for another; a slot by itself means nothing and may be negative.
 */
export const boardSizes = pgTable(
  "board_sizes",
  {
    game: byteText("game").notNull(),
    board: byteText("board").notNull(),
    slot: smallint("slot").notNull(),
    players: bigint("players", { mode: "number" }).notNull(),
  },
  (t) => [primaryKey({ name: "board_sizes_pk", columns: [t.game, t.board, t.slot] })],
);
