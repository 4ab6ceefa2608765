import { sql } from "drizzle-orm";
import { check, integer, jsonb, pgTable, primaryKey, uniqueIndex } from "drizzle-orm/pg-core";
import { byteText, instant } from "./columns.ts";

/**
 * Boards that a game defined. An id may be defined anew after its board was deleted, whose entries and periods stay: `name`
 * tells them apart, the id itself or `laps#2` for the second board `laps`, and is what the keys of entries begin with.
 */
export const boards = pgTable(
  "boards",
  {
    game: byteText("game").notNull(),
    name: byteText("name").notNull(),
    /** The id that clients use. */
    board: byteText("board").notNull(),
    /** Goes up with each change: what was computed from an older definition is not written. */
    revision: integer("revision").notNull().default(1),
    /** The definition as PUT took it, defaults filled in. */
    rule: jsonb("rule").notNull(),
    /** Which schedule holds from when on, the first one since ever: `[{"fromMs": null, "schedule": {…}}, …]`. */
    schedules: jsonb("schedules").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
    deletedAt: instant("deleted_at"),
  },
  (t) => [
    primaryKey({ name: "boards_pk", columns: [t.game, t.name] }),
    uniqueIndex("boards_defined")
      .on(t.game, t.board)
      .where(sql`${t.deletedAt} is null`),
    check("boards_board_form", sql`${t.board} ~ '^[a-z][a-z0-9-]{0,31}$'`),
    check("boards_name_form", sql`${t.name} ~ '^[a-z][a-z0-9-]{0,31}(#[0-9]+)?$'`),
  ],
);
