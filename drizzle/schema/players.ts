import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { byteText, instant } from "./columns.ts";

/** Everyone who ever submitted, per game. */
export const players = pgTable(
  "players",
  {
    game: byteText("game").notNull(),
    player: byteText("player").notNull(),
    bannedAt: instant("banned_at"),
    /** A tombstone: the player was deleted, and what still arrives for them within a day is refused. */
    deletedAt: instant("deleted_at"),
    /** Submissions in the current window; kept only for games with a limit. */
    windowStartedAt: instant("window_started_at"),
    windowSubmissions: integer("window_submissions"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: "players_pk", columns: [t.game, t.player] }),
    index("players_deleted")
      .on(t.deletedAt)
      .where(sql`${t.deletedAt} is not null`),
  ],
);
