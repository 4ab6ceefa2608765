import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Schedule } from "../../functions/contract/schedules.ts";
import { isLong } from "./packed.ts";
import { beginsBy, periodOn, periodsOn, withSchedule, type Turns } from "../../functions/domain/board/turns.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.parse("2026-10-14T12:00:00Z");
const schedule = (given: object) => Schedule.parse(given);
const sinceEver = (given: object): Turns => [{ fromMs: null, schedule: schedule(given) }];

const DAILY = { kind: "day", zone: "Europe/Berlin", at: "04:00" };
const ENDING = [
  DAILY,
  { kind: "day", zone: "Asia/Tokyo" },
  { kind: "week" },
  { kind: "week", firstDay: "sunday" },
  { kind: "month", day: 15 },
  { kind: "every", every: "PT7H", anchor: "2026-01-01T00:00:00Z" },
];

/** Changes of the schedule, some hours apart. */
const changes = fc.array(fc.tuple(fc.integer({ min: 0, max: 10 * 24 }), fc.constantFrom(...ENDING)), { maxLength: 5 });

describe("a board whose schedule changes", () => {
  it("has periods that follow each other without a gap, each with an id of its own, and none that has begun moves", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ENDING), changes, (first, later) => {
        let [turns, nowMs] = [sinceEver(first), START_MS];
        for (const [hours, next] of later) {
          nowMs += hours * HOUR_MS;
          const begun = periodsOn(turns, START_MS, 120).filter(({ startsAtMs }) => startsAtMs <= nowMs);
          turns = withSchedule(turns, schedule(next), nowMs);
          expect(periodsOn(turns, START_MS, begun.length)).toEqual(begun);
          expect(periodOn(turns, nowMs)).toEqual(begun.at(-1));
        }
        const all = periodsOn(turns, START_MS, 20);
        expect(all).toHaveLength(20);
        for (const [i, period] of all.slice(1).entries()) expect(period.startsAtMs).toBe(all[i]?.endsAtMs);
        expect(new Set(all.map(({ period }) => period)).size).toBe(20);
      }),
      { numRuns: isLong ? 200 : 12 },
    );
  });

  it("changes from the end of the running period on", () => {
    const turns = withSchedule(
      sinceEver(DAILY),
      schedule({ kind: "every", every: "P1D", anchor: "2026-01-01T10:00:00Z" }),
      START_MS,
    );
    expect(periodsOn(turns, START_MS, 3).map(({ startsAtMs, endsAtMs }) => (endsAtMs - startsAtMs) / HOUR_MS)).toEqual([
      24, 8, 24,
    ]);
  });

  it("is as before when a change is taken back that has not begun", () => {
    const before = sinceEver(DAILY);
    const changed = withSchedule(before, schedule({ kind: "week" }), START_MS);
    expect(changed).toHaveLength(2);
    expect(withSchedule(changed, schedule(DAILY), START_MS)).toEqual(before);
  });

  it("has no period in a gap between seasons", () => {
    const seasons = [
      { id: "one", startsAt: "2026-10-01T00:00:00Z", endsAt: "2026-10-10T00:00:00Z" },
      { id: "two", startsAt: "2026-11-01T00:00:00Z", endsAt: "2026-12-01T00:00:00Z" },
    ];
    const turns = sinceEver({ kind: "seasons", seasons });
    expect(periodOn(turns, START_MS)).toBeUndefined();
    expect(periodsOn(turns, START_MS, 5).map(({ period }) => period)).toEqual(["two"]);
    expect(beginsBy(turns, "one", START_MS)?.period).toBe("one");
    expect(beginsBy(turns, "two", START_MS)).toBeUndefined();
    expect(periodOn(turns, START_MS - 10 * DAY_MS)?.period).toBe("one");
  });
});
