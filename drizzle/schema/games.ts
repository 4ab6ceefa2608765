import { sql } from "drizzle-orm";
import { bigint, check, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
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
    /** A submission that raises the all-time best by more is held for review; null: none is. */
    maxImprovement: bigint("max_improvement", { mode: "number" }),
    /** At most so many submissions of a player in a window of so many seconds; both null: no limit. */
    limitSubmissions: integer("limit_submissions"),
    limitSeconds: integer("limit_seconds"),
    /** Who has to sign submissions: `nobody`, `players` or `everyone`. */
    signing: text("signing").notNull().default("nobody"),
    /** Number of the signing secret in force, 0 before the first; the one before it is good for a day more. */
    signingKey: integer("signing_key").notNull().default(0),
    signingKeyAt: instant("signing_key_at"),
    /** Rooms that share the viewers of a week. */
    shards: integer("shards").notNull().default(1),
    /**
     * When a moderator last took something off the game's boards, microseconds; 1: never. Versions of boards begin with it
     * (functions/domain/board/version.ts).
     */
    moderated: bigint("moderated", { mode: "number" }).notNull().default(1),
    /** The boards that the game defined, as submissions need them (functions/domain/board/compiled.ts); null: it defined none. */
    boards: jsonb("boards"),
    /**
     * Goes up with each change of `boards`, by which a submission that knows another state is told apart; null: the game never
     * defined a board.
     */
    boardsRevision: integer("boards_revision"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [
    check("games_game_form", sql`${t.game} ~ '^[a-z0-9-]{1,32}$'`),
    check("games_feed_length_positive", sql`${t.feedLength} > 0`),
    check("games_shards_range", sql`${t.shards} between 1 and 64`),
    check("games_signing_known", sql`${t.signing} in ('nobody', 'players', 'everyone')`),
    check("games_limit_whole", sql`(${t.limitSubmissions} is null) = (${t.limitSeconds} is null)`),
    check("games_max_points_range", sql`${t.maxPoints} between 0 and 8589934591`),
  ],
);
