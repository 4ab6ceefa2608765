import { bigint, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { byteText, instant } from "./columns.ts";

/**
 * Which threshold of a badge was in force when: a submission is judged by the rules of the moment it was received,
 * however late that happens. A trigger on `games` keeps this in step with `games.badges`.
 */
export const badgeRules = pgTable(
  "badge_rules",
  {
    game: byteText("game").notNull(),
    badge: text("badge").notNull(),
    threshold: bigint("threshold", { mode: "number" }).notNull(),
    startsAt: instant("starts_at").notNull(),
    /** Null while the rule is in force. */
    endsAt: instant("ends_at"),
  },
  (t) => [primaryKey({ name: "badge_rules_pk", columns: [t.game, t.badge, t.startsAt] })],
);
