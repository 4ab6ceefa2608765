import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { byteText, instant } from "./columns.ts";

/** Everyone who ever submitted, per game. */
export const players = pgTable(
  "players",
  {
    game: byteText("game").notNull(),
    player: byteText("player").notNull(),
    displayName: text("display_name"),
    country: text("country"),
    bannedAt: instant("banned_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [primaryKey({ name: "players_pk", columns: [t.game, t.player] })],
);
