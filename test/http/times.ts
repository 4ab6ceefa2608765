/** Times of a finished week that may still be submitted. */
import { startOf, weekOf } from "../../functions/domain/board/week.ts";

const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;

/** The week `weeks` before the current one: its name, and times in it as second (and millisecond) of its Thursday. */
export function pastWeek(weeks: number) {
  const week = weekOf(Date.now() - weeks * WEEK_MS);
  const thursdayMs = startOf(week) + 3 * DAY_MS;
  const iso = (second: number, ms = 0) => new Date(thursdayMs + second * 1000 + ms).toISOString();
  return {
    week,
    /** To submit. */
    at: iso,
    /** As entries show it. */
    iso: (second: number) => iso(second),
  };
}

export const lastWeek = () => pastWeek(1);
