import { pgTable, uuid } from "drizzle-orm/pg-core";
import { byteText, instant } from "./columns.ts";

/**
 * How far a game was compared with Redis: every submission up to `verified_until` is known to be on the boards.
 * The submit statement reads it to tell which bests the function has to write again.
 */
export const reconciliations = pgTable("reconciliations", {
  game: byteText("game").primaryKey(),
  verifiedUntil: uuid("verified_until").notNull(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});
