/** When the periods of a board begin: what a definition says. Times are ISO 8601, `at` is HH:MM on the wall clock of `zone`. */

type OnWallClock = { readonly zone: string; readonly at: string };

export const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export type DaySchedule = OnWallClock & { readonly kind: "day" };
export type WeekSchedule = OnWallClock & { readonly kind: "week"; readonly firstDay: Weekday };
/** `day` 1 to 28 of the first month begins the period. */
export type MonthSchedule = OnWallClock & { readonly kind: "month" | "quarter" | "year"; readonly day: number };
export type CalendarSchedule = DaySchedule | WeekSchedule | MonthSchedule;

export type Season = { readonly id: string; readonly startsAt: string; readonly endsAt: string };
export type SeasonSchedule = { readonly kind: "seasons"; readonly seasons: readonly Season[] };
export type CronSchedule = { readonly kind: "cron"; readonly cron: string; readonly zone: string };
/** From `anchor` on, each as long as `every` says. */
export type EverySchedule = { readonly kind: "every"; readonly every: string; readonly anchor: string };
export type NeverSchedule = { readonly kind: "never" };

export type Schedule = CalendarSchedule | SeasonSchedule | CronSchedule | EverySchedule | NeverSchedule;

/** One run of a board: `startsAtMs ≤ submitted < endsAtMs`, unix milliseconds. */
export type Period = { readonly period: string; readonly startsAtMs: number; readonly endsAtMs: number };

/** What the periods of a kind of schedule are. All instants are unix milliseconds. */
export type Periods = {
  /** The period that holds the instant, or else the first one after it; undefined when there is none. */
  from(atMs: number): Period | undefined;
  named(id: string): Period | undefined;
};
