/**
 * ISO weeks counted day by day from a known Saturday, with leap years and "this year has 53 weeks" as the only rules:
 * no Date, no division, nothing in common with functions/domain/board/week.ts.
 */

export type Day = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly startMs: number;
  readonly week: string;
};

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const monthLength = (year: number, month: number) => (month === 2 && isLeap(year) ? 29 : (LENGTHS[month - 1] ?? 0));

/** Every day from 2000-01-01, a Saturday of 1999-W52, to 2100-12-31. */
export function* daysByHand(): Generator<Day> {
  let [year, month, day, weekday] = [2000, 1, 1, 6]; // 1 = Monday
  let [weekYear, number, weeksOfYear] = [1999, 52, 52];
  for (let startMs = 946_684_800_000; year <= 2100; startMs += 86_400_000) {
    yield { year, month, day, startMs, week: `${weekYear}-W${String(number).padStart(2, "0")}` };
    weekday = weekday === 7 ? 1 : weekday + 1;
    day++;
    if (day > monthLength(year, month)) [day, month] = [1, month + 1];
    if (month > 12) [month, year] = [1, year + 1];
    if (weekday !== 1) continue;
    number++;
    if (number <= weeksOfYear) continue;
    [number, weekYear] = [1, weekYear + 1];
    // A year has 53 weeks when it begins on a Thursday, or on a Wednesday and is a leap year. Its first Monday-week
    // starts 1 January minus 3 to plus 3 days, so the weekday of 1 January follows from today's date.
    const firstWeekday = month === 12 ? 1 + (32 - day) : day === 1 ? 1 : 9 - day;
    weeksOfYear = firstWeekday === 4 || (firstWeekday === 3 && isLeap(weekYear)) ? 53 : 52;
  }
}
