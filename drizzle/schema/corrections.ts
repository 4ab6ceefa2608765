import { sql } from "drizzle-orm";
import { boolean, jsonb, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { byteText, instant } from "./columns.ts";

/**
 * Players whose entries in Redis a moderator's action changed a moment ago. The row lives for a few minutes: as long
 * as a submission that was on its way may still reach Redis after the correction and has to be corrected again.
 */
export const corrections = pgTable(
  "corrections",
  {
    game: byteText("game").notNull(),
    player: byteText("player").notNull(),
    /** Weeks that Redis may have the player on, each with the countries: `{"2026-W42": ["DE"]}`. */
    weeks: jsonb("weeks").$type<Record<string, string[]>>().notNull(),
    /** Boards that the game defined on which Redis may have the player, with the parts of each: `{"laps.2026-10-14": {"platform": ["ios"]}}`. */
    boards: jsonb("boards").$type<Record<string, Record<string, string[]>>>(),
    /** Whether all events of the player leave the feed. */
    forget: boolean("forget").notNull(),
    /** Single submissions whose events leave the feed. */
    submissions: uuid("submissions")
      .array()
      .notNull()
      .default(sql`'{}'`),
    at: instant("at").notNull(),
  },
  (t) => [primaryKey({ name: "corrections_pk", columns: [t.game, t.player] })],
);
