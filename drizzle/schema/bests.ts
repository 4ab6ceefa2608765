import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { byteText, instant } from "./columns.ts";

/**
 * The best of a player on a board (an ISO week or `all-time`): what boards are rebuilt from and what past weeks
 * are read from for ever. `achieved_at` is a whole second. `country` is the player's country in that week and
 * `left_countries` those they left, so that their entries there can be taken away.
 */
export const bests = pgTable(
  "bests",
  {
    game: byteText("game").notNull(),
    board: byteText("board").notNull(),
    player: byteText("player").notNull(),
    points: bigint("points", { mode: "number" }).notNull(),
    achievedAt: instant("achieved_at").notNull(),
    submissionId: uuid("submission_id").notNull(),
    country: text("country"),
    leftCountries: text("left_countries")
      .array()
      .notNull()
      .default(sql`'{}'`),
  },
  (t) => [
    primaryKey({ name: "bests_pk", columns: [t.game, t.board, t.player] }),
    // Partial, though it holds every row, so that only what asks for `points >= 0` can use it: reads in order. Where
    // statistics are missing it seems as good as the primary key for finding one player, and then reads all of a board.
    index("bests_order")
      .on(t.game, t.board, t.points.desc().nullsFirst(), t.achievedAt, t.player.desc().nullsFirst())
      .where(sql`${t.points} >= 0`),
    check("bests_points_range", sql`${t.points} between 0 and 8589934591`),
    check("bests_achieved_at_whole_second", sql`extract(microseconds from ${t.achievedAt})::bigint % 1000000 = 0`),
  ],
);
