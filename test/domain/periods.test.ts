import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { periodAt, periodNamed, periodsFrom } from "../../functions/domain/board/periods.ts";
import type { Schedule } from "../../functions/domain/board/periods/schedule.ts";

const at = (text: string) => Date.parse(text);
const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
const day = (zone: string, time = "00:00"): Schedule => ({ kind: "day", zone, at: time });

/** When the named period begins. */
const startOf = (schedule: Schedule, name: string) => iso(periodNamed(schedule, name)?.startsAtMs);

describe("a time of day", () => {
  it.each([
    ["Africa/Cairo", "00:00", "2026-04-24", "2026-04-23T22:00:00.000Z"],
    ["America/Santiago", "00:00", "2026-09-06", "2026-09-06T04:00:00.000Z"],
    ["America/Havana", "00:00", "2026-03-08", "2026-03-08T05:00:00.000Z"],
    ["America/New_York", "02:30", "2026-03-08", "2026-03-08T07:00:00.000Z"],
    ["Australia/Lord_Howe", "02:15", "2026-10-04", "2026-10-03T15:30:00.000Z"],
  ])("that %s skips (%s on %s) is the first instant after the gap", (zone, time, name, starts) => {
    expect(startOf(day(zone, time), name)).toBe(starts);
  });

  it.each([
    ["America/New_York", "01:30", "2026-11-01", "2026-11-01T05:30:00.000Z"],
    ["Europe/Berlin", "02:00", "2026-10-25", "2026-10-25T00:00:00.000Z"],
    ["Australia/Lord_Howe", "01:45", "2026-04-05", "2026-04-04T14:45:00.000Z"],
    ["America/Havana", "00:30", "2026-11-01", "2026-11-01T04:30:00.000Z"],
  ])("that comes twice in %s (%s on %s) is the earlier one", (zone, time, name, starts) => {
    expect(startOf(day(zone, time), name)).toBe(starts);
  });

  it("is on no day that a zone leaves out: its day has no period, and the days around it meet", () => {
    const apia = day("Pacific/Apia");
    expect(periodNamed(apia, "2011-12-30")).toBeUndefined();
    expect(periodsFrom(apia, at("2011-12-29T12:00:00Z"), 2).map(({ period }) => period)).toEqual([
      "2011-12-29",
      "2011-12-31",
    ]);
    expect(periodNamed(apia, "2011-12-29")?.endsAtMs).toBe(periodNamed(apia, "2011-12-31")?.startsAtMs);
  });
});

describe("periods are named", () => {
  const moment = at("2026-10-14T18:03:11Z");
  it.each<[string, Schedule]>([
    ["2026-10-14", day("UTC")],
    ["2026-10-15", day("Asia/Tokyo")],
    ["2026-10-14", day("Asia/Tokyo", "04:00")],
    ["2026-W42", { kind: "week", firstDay: "monday", zone: "UTC", at: "00:00" }],
    ["w2026-10-11", { kind: "week", firstDay: "sunday", zone: "UTC", at: "00:00" }],
    ["w2026-10-14", { kind: "week", firstDay: "wednesday", zone: "UTC", at: "18:03" }],
    ["w2026-10-07", { kind: "week", firstDay: "wednesday", zone: "UTC", at: "18:04" }],
    ["2026-10", { kind: "month", day: 14, zone: "UTC", at: "18:00" }],
    ["2026-09", { kind: "month", day: 15, zone: "UTC", at: "00:00" }],
    ["2026-Q4", { kind: "quarter", day: 1, zone: "UTC", at: "00:00" }],
    ["2026-Q3", { kind: "quarter", day: 28, zone: "UTC", at: "00:00" }],
    ["2026", { kind: "year", day: 1, zone: "UTC", at: "00:00" }],
    ["20261014T0300Z", { kind: "cron", cron: "0 3 * * *", zone: "UTC" }],
    ["20261014T1800Z", { kind: "every", every: "PT6H", anchor: "2026-01-01T00:00:00Z" }],
    ["all", { kind: "never" }],
  ])("%s for %j", (name, schedule) => {
    const found = periodAt(schedule, moment);
    expect(found?.period).toBe(name);
    expect(periodNamed(schedule, name)).toEqual(found);
  });

  it.each<[Schedule, string[]]>([
    [day("UTC"), ["2026-02-29", "2026-13-01", "2026-1-1", "2026-W01", "all", ""]],
    [{ kind: "week", firstDay: "monday", zone: "UTC", at: "00:00" }, ["2025-W53", "2026-W00", "2026-10-12"]],
    [{ kind: "week", firstDay: "sunday", zone: "UTC", at: "00:00" }, ["w2026-10-12", "2026-10-11", "2026-W42"]],
    [{ kind: "month", day: 1, zone: "UTC", at: "00:00" }, ["2026-00", "2026-13", "2026"]],
    [{ kind: "quarter", day: 1, zone: "UTC", at: "00:00" }, ["2026-Q0", "2026-Q5", "2026-10"]],
    [{ kind: "cron", cron: "0 3 * * *", zone: "UTC" }, ["20261014T0301Z", "2026-10-14", "20261314T0300Z"]],
    [{ kind: "every", every: "PT6H", anchor: "2026-01-01T00:00:00Z" }, ["20261014T1801Z", "20251231T1800Z"]],
    [{ kind: "never" }, ["2026", ""]],
  ])("%j has no other names", (schedule, names) => {
    expect(names.filter((name) => periodNamed(schedule, name))).toEqual([]);
  });
});

describe("seasons", () => {
  const seasons: Schedule = {
    kind: "seasons",
    seasons: [
      { id: "autumn", startsAt: "2026-10-01T00:00:00Z", endsAt: "2026-11-01T00:00:00Z" },
      { id: "summer", startsAt: "2026-07-01T00:00:00+02:00", endsAt: "2026-09-01T00:00:00+02:00" },
    ],
  };

  it("come in the order of time, and between them nothing counts", () => {
    expect(periodsFrom(seasons, at("2026-01-01T00:00:00Z"), 5).map(({ period }) => period)).toEqual([
      "summer",
      "autumn",
    ]);
    expect(periodAt(seasons, at("2026-09-15T00:00:00Z"))).toBeUndefined();
    expect(periodAt(seasons, at("2026-06-30T22:00:00Z"))?.period).toBe("summer");
  });
});

describe("a cron", () => {
  it("fires once at the end of a gap, however many of its times are in it", () => {
    const cron: Schedule = { kind: "cron", cron: "*/15 * * * *", zone: "Europe/Berlin" };
    const starts = periodsFrom(cron, at("2026-03-29T00:40:00Z"), 4).map(({ startsAtMs }) => iso(startsAtMs));
    expect(starts).toEqual([
      "2026-03-29T00:30:00.000Z",
      "2026-03-29T00:45:00.000Z",
      "2026-03-29T01:00:00.000Z",
      "2026-03-29T01:15:00.000Z",
    ]);
  });

  it("fires at the earlier of two equal times only", () => {
    const cron: Schedule = { kind: "cron", cron: "30 1 * * *", zone: "America/New_York" };
    for (const moment of ["2026-11-01T05:30:00Z", "2026-11-01T06:29:00Z", "2026-11-01T06:31:00Z"])
      expect(iso(periodAt(cron, at(moment))?.startsAtMs)).toBe("2026-11-01T05:30:00.000Z");
  });
});

const ZONES = Intl.supportedValuesOf("timeZone");
const zone = fc.constantFrom("UTC", ...ZONES);
const time = fc.tuple(fc.nat(23), fc.nat(59)).map((parts) => parts.map((n) => String(n).padStart(2, "0")).join(":"));
const dayOfMonth = fc.integer({ min: 1, max: 28 });
const crons = fc.constantFrom(
  "0 3 * * *",
  "*/7 * * * *",
  "30 2 * * SUN",
  "0 0 29 2 *",
  "0,30 0-4 1 * *",
  "15 1,13 * JAN,JUL 1-5",
);
const schedule: fc.Arbitrary<Schedule> = fc.oneof(
  fc.record({ kind: fc.constant("day" as const), zone, at: time }),
  fc.record({
    kind: fc.constant("week" as const),
    firstDay: fc.constantFrom("monday", "sunday", "friday"),
    zone,
    at: time,
  }),
  fc.record({ kind: fc.constantFrom("month", "quarter", "year"), day: dayOfMonth, zone, at: time }),
  fc.record({ kind: fc.constant("cron" as const), cron: crons, zone }),
  fc.record({
    kind: fc.constant("every" as const),
    every: fc.constantFrom("PT1M", "PT90M", "P1D", "P1W", "P3DT4H"),
    anchor: fc.constant("2023-12-31T23:59:00Z"),
  }),
);
const instant = fc.integer({ min: at("2024-01-01T00:00:00Z"), max: at("2037-12-31T00:00:00Z") });

describe("of every schedule", () => {
  it("an instant is in one period, whose name leads to it, and which meets those around it", () => {
    fc.assert(
      fc.property(schedule, instant, (rule, ms) => {
        const [current, next, ...rest] = periodsFrom(rule, ms, 2);
        if (!current || !next || rest.length > 0) throw new Error("there are always more");
        expect(current.startsAtMs).toBeLessThanOrEqual(ms);
        expect(current.endsAtMs).toBeGreaterThan(ms);
        expect(next.startsAtMs).toBe(current.endsAtMs);
        expect(next.endsAtMs - next.startsAtMs).toBeGreaterThanOrEqual(60_000);
        expect(periodAt(rule, ms)).toEqual(current);
        expect(periodAt(rule, next.startsAtMs)).toEqual(next);
        expect(periodAt(rule, next.startsAtMs - 1)).toEqual(current);
        expect(periodNamed(rule, current.period)).toEqual(current);
        expect(next.period).not.toBe(current.period);
      }),
      { numRuns: process.env["EDGEBOARD_LONG"] === "1" ? 1_000 : 200 },
    );
  });
});
