import { pgTable, uuid } from "drizzle-orm/pg-core";
import { byteText, instant } from "./columns.ts";

/** How far a game's submissions were judged from Postgres alone: none up to `position` still deserves a badge. */
export const badgePositions = pgTable("badge_positions", {
  game: byteText("game").primaryKey(),
  position: uuid("position").notNull(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});
