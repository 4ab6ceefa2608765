import { pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { byteText } from "./columns.ts";

/**
 * Who last got a best on a board, as far as reconciling has verified: an older copy of the board lacks this entry. A row a
 * board that Redis keeps; `country` is '' for the board of all countries.
 */
export const witnesses = pgTable(
  "witnesses",
  {
    game: byteText("game").notNull(),
    board: byteText("board").notNull(),
    country: byteText("country").notNull(),
    player: byteText("player").notNull(),
    submissionId: uuid("submission_id").notNull(),
  },
  (t) => [primaryKey({ name: "witnesses_pk", columns: [t.game, t.board, t.country] })],
);
