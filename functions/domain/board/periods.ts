/**
 * The periods of a schedule: computed here and nowhere else, then written as rows, so that no other database of time zones has a
 * say in a period that has begun. Instants are unix milliseconds. Periods of one schedule never overlap, and only seasons have gaps.
 */
import { calendarPeriods } from "./periods/calendar.ts";
import { cronPeriods } from "./periods/cron.ts";
import { everyPeriods } from "./periods/every.ts";
import type { Period, Periods, Schedule } from "./periods/schedule.ts";
import { seasonPeriods } from "./periods/seasons.ts";

/** The one period of a board that never ends. */
const ALL: Period = { period: "all", startsAtMs: Number.NEGATIVE_INFINITY, endsAtMs: Number.POSITIVE_INFINITY };
const NEVER: Periods = {
  from: () => ALL,
  named: (id) => (id === ALL.period ? ALL : undefined),
};

function periodsOf(schedule: Schedule): Periods {
  switch (schedule.kind) {
    case "never":
      return NEVER;
    case "seasons":
      return seasonPeriods(schedule);
    case "every":
      return everyPeriods(schedule);
    case "cron":
      return cronPeriods(schedule);
    default:
      return calendarPeriods(schedule);
  }
}

/** The period that holds the instant; undefined between seasons, before an anchor, and before the first fire of a cron. */
export function periodAt(schedule: Schedule, atMs: number): Period | undefined {
  const found = periodsOf(schedule).from(atMs);
  return found && found.startsAtMs <= atMs ? found : undefined;
}

/** Up to `n` periods, from the one that holds the instant on, or the first one after it. */
export function periodsFrom(schedule: Schedule, atMs: number, n: number): Period[] {
  const periods = periodsOf(schedule);
  const found: Period[] = [];
  for (let at = atMs; found.length < n && at < Number.POSITIVE_INFINITY;) {
    const period = periods.from(at);
    if (!period) break;
    found.push(period);
    at = period.endsAtMs;
  }
  return found;
}

/** The period of this name; undefined when the schedule has none. */
export const periodNamed = (schedule: Schedule, name: string): Period | undefined => periodsOf(schedule).named(name);
