import { sql } from "drizzle-orm";
import { check, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { byteText, instant } from "./columns.ts";

/**
 * Periods of boards, each written once, with bounds that the Worker computed. The cron writes the current and the next ones,
 * a submission that finds none writes its own. Of one board no two overlap.
 */
export const periods = pgTable(
  "periods",
  {
    game: byteText("game").notNull(),
    /** `boards.name`. */
    board: byteText("board").notNull(),
    period: byteText("period").notNull(),
    startsAt: instant("starts_at").notNull(),
    endsAt: instant("ends_at").notNull(),
    /** The end and the grace that was in force when the period began: no submission of it counts from then on. */
    closesAt: instant("closes_at").notNull(),
    /** What one step of time is in packed scores of the period, milliseconds. */
    unitMs: integer("unit_ms").notNull(),
    /** `open`, `closing` while its results are written, `closed` when nothing counts any more, `final` when they are written. */
    state: text("state").notNull().default("open"),
  },
  (t) => [
    primaryKey({ name: "periods_pk", columns: [t.game, t.board, t.period] }),
    uniqueIndex("periods_start").on(t.game, t.board, t.startsAt),
    check("periods_state_known", sql`${t.state} in ('open', 'closing', 'closed', 'final')`),
    check("periods_bounds", sql`${t.startsAt} < ${t.endsAt} and ${t.endsAt} <= ${t.closesAt}`),
    check("periods_unit_positive", sql`${t.unitMs} > 0`),
  ],
);
