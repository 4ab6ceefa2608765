import { sql } from "drizzle-orm";
import { bigint, check, integer, jsonb, pgTable } from "drizzle-orm/pg-core";
import type { BadgeThreshold } from "../../functions/domain/badges.ts";
import { byteText, instant } from "./columns.ts";

/** A tenant and its configuration. */
export const games = pgTable(
  "games",
  {
    game: byteText("game").primaryKey(),
    badges: jsonb("badges").$type<BadgeThreshold[]>().notNull(),
    feedLength: integer("feed_length").notNull(),
    maxPoints: bigint("max_points", { mode: "number" }).notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [
    check("games_game_form", sql`${t.game} ~ '^[a-z0-9-]{1,32}$'`),
    check("games_feed_length_positive", sql`${t.feedLength} > 0`),
    check("games_max_points_range", sql`${t.maxPoints} between 0 and 8589934591`),
  ],
);
