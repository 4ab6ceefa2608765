/** ISO weeks in UTC: `2026-W42`, Monday 00:00:00.000Z starts one (ISO 8601). Instants are unix milliseconds. */

const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;
/** Weekly keys live this long after their week ended. */
export const KEPT_AFTER_WEEK_MS = 35 * DAY_MS;

/** Days from Monday: 0 for a Monday, 6 for a Sunday. */
function daysSinceMonday(ms: number): number {
  return (new Date(ms).getUTCDay() + 6) % 7;
}

function mondayOfFirstWeek(year: number): number {
  const fourthOfJanuary = Date.UTC(year, 0, 4);
  return fourthOfJanuary - daysSinceMonday(fourthOfJanuary) * DAY_MS;
}

/** The week that contains the instant. The week belongs to the year of its Thursday. */
export function weekOf(ms: number): string {
  const midnight = Math.floor(ms / DAY_MS) * DAY_MS;
  const monday = midnight - daysSinceMonday(midnight) * DAY_MS;
  const year = new Date(monday + 3 * DAY_MS).getUTCFullYear();
  const number = Math.round((monday - mondayOfFirstWeek(year)) / WEEK_MS) + 1;
  return `${String(year).padStart(4, "0")}-W${String(number).padStart(2, "0")}`;
}

/** First instant of a week, or undefined when the text names no week (2026-W53 exists, 2025-W53 does not). */
export function weekStart(week: string): number | undefined {
  const match = /^(\d{4})-W(\d{2})$/.exec(week);
  if (!match) return undefined;
  const start = mondayOfFirstWeek(Number(match[1])) + (Number(match[2]) - 1) * WEEK_MS;
  return weekOf(start) === week ? start : undefined;
}

/** When the week after `week` starts: the board's reset. Throws a RangeError for a text that names no week. */
export function weekEnd(week: string): number {
  return startOf(week) + WEEK_MS;
}

/** When the week's keys expire. Throws a RangeError for a text that names no week. */
export function weekExpiry(week: string): number {
  return weekEnd(week) + KEPT_AFTER_WEEK_MS;
}

/** Whether Redis has the week's keys at `nowMs`; of older weeks Postgres alone knows. Throws a RangeError for no week. */
export const isKept = (week: string, nowMs: number): boolean => weekExpiry(week) > nowMs;

/** First instant of a week that is known to exist. Throws a RangeError otherwise. */
export function startOf(week: string): number {
  const start = weekStart(week);
  if (start === undefined) throw new RangeError(`no such ISO week: ${week}`);
  return start;
}

/** The week after `week`. */
export function nextWeek(week: string): string {
  return weekOf(weekEnd(week));
}

/** All weeks whose keys Redis still keeps at `nowMs`, the current one first. */
export function keptWeeks(nowMs: number): string[] {
  const weeks: string[] = [];
  for (let at = nowMs; isKept(weekOf(at), nowMs); at -= WEEK_MS) weeks.push(weekOf(at));
  return weeks;
}
