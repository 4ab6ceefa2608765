import { describe, expect, it } from "vitest";
import { periodNamed } from "../../functions/domain/board/periods.ts";

/** Every change of every clock from 2024 to 2037 in the long run; else those of this many of the years. */
const LONG = process.env["EDGEBOARD_LONG"] === "1";
const YEARS = LONG ? Array.from({ length: 14 }, (_, i) => 2024 + i) : [2026];
const QUARTER_MS = 15 * 60_000;
const MINUTE_MS = 60_000;
const DAY_MS = 96 * QUARTER_MS;

/** What a zone's clock shows, as a text that sorts: another way to read Intl than the product's, and each minute is read once. */
type Shown = (atMs: number) => string;

function clockOf(timeZone: string): Shown {
  // Sweden writes 2026-10-14 18:03.
  const formatter = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  const read = new Map<number, string>();
  return (atMs) => {
    const known = read.get(atMs);
    if (known !== undefined) return known;
    const text = formatter.format(atMs);
    read.set(atMs, text);
    return text;
  };
}

/** Minutes that the clock is ahead of UTC. */
const aheadAt = (shown: Shown, atMs: number) =>
  (Date.parse(`${shown(atMs).replace(" ", "T")}Z`) - Math.floor(atMs / MINUTE_MS) * MINUTE_MS) / MINUTE_MS;

/** The quarters of an hour at which the zone's clock is changed in a year. */
function changesIn(shown: Shown, year: number): number[] {
  const found: number[] = [];
  const end = Date.UTC(year + 1, 0, 1);
  for (let day = Date.UTC(year, 0, 1); day < end; day += DAY_MS) {
    if (aheadAt(shown, day) === aheadAt(shown, day + DAY_MS)) continue;
    let quarter = day;
    while (aheadAt(shown, quarter + QUARTER_MS) === aheadAt(shown, day)) quarter += QUARTER_MS;
    found.push(quarter + QUARTER_MS);
  }
  return found;
}

/** The first minute from which the clock shows this time or a later one: by looking at them in turn. */
function firstMinuteShowing(shown: Shown, wall: string, fromMs: number): number {
  let at = fromMs;
  // Clocks are changed between quarters of an hour, so that within one they only go on.
  while (shown(at + QUARTER_MS - MINUTE_MS) < wall) at += QUARTER_MS;
  while (shown(at) < wall) at += MINUTE_MS;
  return at;
}

/** Times of day around a change: at it, before and after what it skips or repeats, and midnight. */
function timesAround(shown: Shown, changeMs: number): { date: string; time: string }[] {
  const walls = [changeMs - MINUTE_MS, changeMs].map((at) => Date.parse(`${shown(at).replace(" ", "T")}Z`));
  const around = [-90, -31, -1, 0, 1, 29, 59, 90].flatMap((minutes) => walls.map((wall) => wall + minutes * MINUTE_MS));
  const midnights = walls.map((wall) => Math.floor(wall / DAY_MS) * DAY_MS);
  return [...new Set([...around, ...midnights])].map((wall) => {
    const [date = "", time = ""] = new Date(wall).toISOString().split("T");
    return { date, time: time.slice(0, 5) };
  });
}

describe("a day that begins near a change of the clock", () => {
  it(`begins at the first minute that shows its time or a later one, in every zone of the database in ${YEARS.join(", ")}`, () => {
    let checked = 0;
    const wrong: string[] = [];
    for (const zone of Intl.supportedValuesOf("timeZone")) {
      const shown = clockOf(zone);
      for (const change of YEARS.flatMap((year) => changesIn(shown, year))) {
        for (const { date, time } of timesAround(shown, change)) {
          const found = periodNamed({ kind: "day", zone, at: time }, date)?.startsAtMs;
          const expected = firstMinuteShowing(shown, `${date} ${time}`, change - 2 * DAY_MS);
          checked++;
          if (found !== expected) wrong.push(`${zone} ${date} ${time}: ${found} instead of ${expected}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(2_000 * YEARS.length);
  });
});
