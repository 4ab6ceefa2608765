import { bigint, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { byteText, instant } from "./columns.ts";

/** Awarded badges: the primary key is what "exactly once" rests on. */
export const badges = pgTable(
  "badges",
  {
    game: byteText("game").notNull(),
    player: byteText("player").notNull(),
    badge: text("badge").notNull(),
    threshold: bigint("threshold", { mode: "number" }).notNull(),
    points: bigint("points", { mode: "number" }).notNull(),
    submissionId: uuid("submission_id").notNull(),
    awardedAt: instant("awarded_at").notNull().defaultNow(),
  },
  (t) => [primaryKey({ name: "badges_pk", columns: [t.game, t.player, t.badge] })],
);
