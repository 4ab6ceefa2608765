import { sql } from "drizzle-orm";
import { bigint, check, index, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { byteText, instant } from "./columns.ts";

/**
 * Append-only: one row an accepted POST. `id` is a UUIDv7, so that the primary key is also a game's order of
 * arrival; `request` is what the client asked for, to tell a retry from another use of the same key.
 * Only `state` ever changes: a row stays when its points do not count (any more), so that its key stays used. What
 * counts is the view `ranked_submissions`: ranked ones of players who are not banned.
 * No foreign keys on purpose: the one statement that inserts here reads the game's row first, and a key-share
 * lock on that row for every submission would be the hottest lock of the system.
 */
export const submissions = pgTable(
  "submissions",
  {
    id: uuid("id")
      .notNull()
      .default(sql`uuidv7()`),
    game: byteText("game").notNull(),
    player: byteText("player").notNull(),
    idempotencyKey: byteText("idempotency_key").notNull(),
    request: text("request").notNull(),
    /** Null: it says nothing to the default boards. */
    points: bigint("points", { mode: "number" }),
    country: text("country"),
    week: text("week").notNull(),
    submittedAt: instant("submitted_at").notNull(),
    /** `ranked`, `held` for review, `rejected` by it, or `removed` by a moderator. */
    state: text("state").notNull().default("ranked"),
    receivedAt: instant("received_at").notNull().defaultNow(),
    /** Its named numbers, and for keyed boards what they were earned on: `{"lapMs": 83211}`, `{"song": "track-88"}`. */
    values: jsonb("values"),
    keys: jsonb("keys"),
    /**
     * What it brings to boards that the game defined, by their keys: a strength, what is added to a total, or why it does not count:
     * `{"laps.2026-10-14": 3516789, "clicks.all": "total-out-of-range"}`.
     */
    boards: jsonb("boards"),
    /** The parts of boards that it names, beside the country: `{"platform": "ios"}`. */
    segments: jsonb("segments"),
    metadata: jsonb("metadata"),
  },
  (t) => [
    primaryKey({ name: "submissions_pk", columns: [t.game, t.id] }),
    // The player first, so that finding a submission by its id can only use the primary key: of a game that statistics do
    // not know yet, an index that begins with the game seems as good, and then all of the game is read for each id.
    unique("submissions_once").on(t.player, t.game, t.idempotencyKey),
    index("submissions_held")
      .on(t.game, t.id)
      .where(sql`${t.state} = 'held'`),
    check("submissions_state_known", sql`${t.state} in ('ranked', 'held', 'rejected', 'removed')`),
    check("submissions_points_range", sql`${t.points} between 0 and 8589934591`),
  ],
);
