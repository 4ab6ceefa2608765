import { sql } from "drizzle-orm";
import { bigint, check, index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { byteText, instant } from "./columns.ts";

/**
 * The entry of a player on a board: what boards are rebuilt from and what past ones are read from for ever. On an ISO week and on
 * `all-time`, `points` are points and `achieved_at` is a whole second; `country` is the player's country in that week and
 * `left_countries` those they left, so that their entries there can be taken away. On a board that the game defined (`laps.2026-10-14`),
 * `points` is the strength (functions/domain/board/strength.ts), and `segments` has the parts that the player is in, `left_segments`
 * those they left: `{"platform": "ios"}`, `{"platform": ["web"]}`.
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
    segments: jsonb("segments"),
    leftSegments: jsonb("left_segments"),
  },
  (t) => [
    primaryKey({ name: "bests_pk", columns: [t.game, t.board, t.player] }),
    // Partial, though it holds every row, so that only what asks for `points >= 0` can use it: reads in order. Where
    // statistics are missing it seems as good as the primary key for finding one player, and then reads all of a board.
    index("bests_order")
      .on(t.game, t.board, t.points.desc().nullsFirst(), t.achievedAt, t.player.desc().nullsFirst())
      .where(sql`${t.points} >= 0`),
    check(
      "bests_points_range",
      sql`${t.points} between 0 and case when strpos(${t.board}, '.') > 0 then 9007199254740991 else 8589934591 end`,
    ),
    check(
      "bests_achieved_at_whole",
      sql`extract(microseconds from ${t.achievedAt})::bigint % case when strpos(${t.board}, '.') > 0 then 1000 else 1000000 end = 0`,
    ),
  ],
);
