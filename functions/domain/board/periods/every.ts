/** Periods of one length, one after the other from an anchor on. No zone: a day is 24 hours. */
import type { EverySchedule, Periods } from "./schedule.ts";
import { startName, startNamed } from "./start-names.ts";

const MINUTE_MS = 60_000;
/** Without months and years, which are of no one length. */
const DURATION = /^P(?=.)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,9})M)?)?$/;
const UNITS_MS = [7 * 24 * 60 * MINUTE_MS, 24 * 60 * MINUTE_MS, 60 * MINUTE_MS, MINUTE_MS];

/** Milliseconds of an ISO 8601 duration of weeks, days, hours and minutes; undefined for another text. */
export function durationMs(text: string): number | undefined {
  const counts = DURATION.exec(text)?.slice(1);
  return counts?.reduce((sum, count = "0", i) => sum + Number(count) * (UNITS_MS[i] ?? 0), 0);
}

/** What is wrong with a duration, or undefined. */
export const everyProblem = (every: string): string | undefined =>
  (durationMs(every) ?? 0) >= MINUTE_MS
    ? undefined
    : "must be an ISO 8601 duration of a minute or more, in weeks, days, hours and minutes, such as PT6H";

/** A period's name has the minute in which it begins. */
export const anchorProblem = (anchor: string): string | undefined =>
  Date.parse(anchor) % MINUTE_MS === 0 ? undefined : "must be a whole minute";

export function everyPeriods({ every, anchor }: EverySchedule): Periods {
  const [lengthMs, anchorMs] = [durationMs(every) ?? Number.POSITIVE_INFINITY, Date.parse(anchor)];
  /** The `n`th period, from 0 on. */
  const periodOf = (n: number) => {
    const startsAtMs = anchorMs + n * lengthMs;
    return { period: startName(startsAtMs), startsAtMs, endsAtMs: startsAtMs + lengthMs };
  };
  const numberOf = (atMs: number) => Math.floor((atMs - anchorMs) / lengthMs);
  return {
    from: (atMs) => periodOf(Math.max(0, numberOf(atMs))),
    named(id) {
      const startsAtMs = startNamed(id);
      const found = startsAtMs === undefined || startsAtMs < anchorMs ? undefined : periodOf(numberOf(startsAtMs));
      return found?.period === id ? found : undefined;
    },
  };
}
