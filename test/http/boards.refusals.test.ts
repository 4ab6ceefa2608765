import { describe, expect, it } from "vitest";
import { call, freshGame } from "../harness/api.ts";
import { pointersOf, problemOf } from "../harness/game.ts";
import { LAPS, pathOf, put, storedBoards } from "./defined-boards.ts";

const stored = storedBoards();

const STARS = { statistic: "stars", bits: 8 };
const TIME = { statistic: "lapMs", order: "asc", bits: 25 };
const parts = (...all: unknown[]) => ({ parts: all, schedule: { kind: "never" } });
const laps = (more: Readonly<Record<string, unknown>>) => ({ ...LAPS, ...more });
const value = (more: Readonly<Record<string, unknown>>) => laps({ value: { min: 0, max: 100, decimals: 0, ...more } });
const schedule = (kind: string, more: Readonly<Record<string, unknown>> = {}) => laps({ schedule: { kind, ...more } });
const SEASON = { id: "s1", startsAt: "2026-01-01T00:00:00Z", endsAt: "2026-04-01T00:00:00Z" };
const seasons = (...all: unknown[]) => schedule("seasons", { seasons: all });

/** Definitions that are no definitions, and what is pointed at. */
const WRONG: readonly (readonly [unknown, ...string[]])[] = [
  [[], ""],
  [null, ""],
  [{}, "/statistic"],
  [laps({ more: 1 }), "/more"],
  [laps({ statistic: "LapMs" }), "/statistic"],
  [laps({ statistic: "lap-ms" }), "/statistic"],
  [laps({ statistic: "x".repeat(33) }), "/statistic"],
  [laps({ order: "up" }), "/order"],
  [laps({ aggregation: "mean" }), "/aggregation"],
  [laps({ tie: "latest" }), "/tie"],
  [laps({ keyed: "yes" }), "/keyed"],
  [laps({ live: 1 }), "/live"],
  [laps({ title: "" }), "/title"],
  [laps({ title: "x".repeat(65) }), "/title"],
  [laps({ title: "Laps\u0000" }), "/title"],
  [laps({ title: "Laps\ud800" }), "/title"],
  [laps({ tie: "id", aggregation: "last" }), "/tie"],
  [{ statistic: "wins", aggregation: "count", value: { min: 2 } }, "/value/min"],
  [value({ more: 1 }), "/value/more"],
  [value({ min: 100 }), "/value/max"],
  [value({ min: 101 }), "/value/max"],
  [value({ min: 0.5 }), "/value/min"],
  [value({ max: 1.234, decimals: 2 }), "/value/max"],
  [value({ min: 0.05, max: 1.005, decimals: 1 }), "/value/min"],
  [value({ max: 2 ** 53, decimals: 0 }), "/value/max"],
  [value({ max: 2 ** 43 }), "/tie"],
  [value({ decimals: 10 }), "/value/decimals"],
  [value({ decimals: 0.5 }), "/value/decimals"],
  [laps({ aggregation: "count", value: { min: -1, max: 10, decimals: 0 } }), "/order", "/value/min"],
  [laps({ parts: [STARS, TIME] }), "/statistic", "/value"],
  [parts(), "/parts"],
  [parts(STARS, TIME, TIME, STARS), "/parts"],
  [parts(STARS, STARS), "/parts/1/statistic"],
  [parts(STARS, { ...TIME, bits: 36 }), "/tie"],
  [{ ...parts(STARS, { ...TIME, bits: 46 }), tie: "id" }, "/parts"],
  [parts({ ...STARS, bits: 0 }), "/parts/0/bits"],
  [parts({ ...STARS, more: 1 }), "/parts/0/more"],
  [{ ...parts(STARS, TIME), aggregation: "sum" }, "/aggregation"],
  [{ ...parts(STARS, TIME), order: "asc" }, "/order"],
  [{ ...parts(STARS, TIME), value: { max: 10 } }, "/value"],
  [laps({ graceSeconds: 9 }), "/graceSeconds"],
  [laps({ graceSeconds: 604_801 }), "/graceSeconds"],
  [laps({ segments: ["a", "b", "c", "d"] }), "/segments"],
  [laps({ segments: ["a", "a"] }), "/segments/1"],
  [laps({ segments: ["Country"] }), "/segments/0"],
  [laps({ segments: ["x".repeat(17)] }), "/segments/0"],
  [laps({ metadata: { maxBytes: -1 } }), "/metadata/maxBytes"],
  [laps({ metadata: { maxBytes: 1_000_000 } }), "/metadata/maxBytes"],
  [laps({ answer: { segmentRanks: ["country"] } }), "/answer/segmentRanks/0"],
  [laps({ answer: { rank: true, more: 1 } }), "/answer/more"],
  [laps({ retentionDays: 0 }), "/retentionDays"],
  [laps({ rewards: [{ id: "gold", ranks: [1, 10], reward: {} }] }), "/rewards"],
  [laps({ rewards: {} }), "/rewards"],
  [laps({ backfillFrom: "2026-01-01T00:00:00Z" }), "/backfillFrom"],
  [laps({ schedule: "day" }), "/schedule"],
  [schedule("fortnight"), "/schedule/kind"],
  [schedule("day", { more: 1 }), "/schedule/more"],
  [schedule("day", { zone: "Mars/Base" }), "/schedule/zone"],
  [schedule("day", { zone: "+02:00" }), "/schedule/zone"],
  [schedule("day", { at: "24:00" }), "/schedule/at"],
  [schedule("day", { at: "4:00" }), "/schedule/at"],
  [schedule("day", { firstDay: "monday" }), "/schedule/firstDay"],
  [schedule("week", { firstDay: "someday" }), "/schedule/firstDay"],
  [schedule("month", { day: 29 }), "/schedule/day"],
  [schedule("month", { day: 0 }), "/schedule/day"],
  [schedule("never", { zone: "UTC" }), "/schedule/zone"],
  [schedule("every", { every: "PT59S", anchor: "2026-01-01T00:00:00Z" }), "/schedule/every"],
  [schedule("every", { every: "P1M", anchor: "2026-01-01T00:00:00Z" }), "/schedule/every"],
  [schedule("every", { every: "PT1H", anchor: "today" }), "/schedule/anchor"],
  [schedule("every", { every: "PT1H" }), "/schedule/anchor"],
  [schedule("cron", { cron: "* * * *" }), "/schedule/cron"],
  [schedule("cron", { cron: "61 * * * *" }), "/schedule/cron"],
  [seasons(), "/schedule/seasons"],
  [seasons({ ...SEASON, id: "S 1" }), "/schedule/seasons/0/id"],
  [seasons({ ...SEASON, endsAt: SEASON.startsAt }), "/schedule/seasons/0/endsAt"],
  [
    seasons(SEASON, { ...SEASON, id: "s2", startsAt: "2026-03-31T00:00:00Z", endsAt: "2026-05-01T00:00:00Z" }),
    "/schedule/seasons/1/startsAt",
  ],
  [seasons({ ...SEASON, more: 1 }), "/schedule/seasons/0/more"],
];

describe("a definition that is none", () => {
  it("is refused with a pointer to what is wrong, and nothing is written", async () => {
    const game = await freshGame();
    const found: unknown[] = [];
    for (const [body] of WRONG) found.push([body, ...pointersOf(problemOf(await put(game, "laps", body), "invalid"))]);
    expect(found).toEqual(WRONG);
    problemOf(await call(pathOf(game, "laps"), { method: "PUT", rawBody: "{" }), "unreadable");
    expect(await stored.definitions(game)).toEqual([]);
    expect(await stored.periods(game)).toEqual([]);
    expect(await stored.compiled(game)).toBeNull();
  });

  it("changes nothing of the board that there is", async () => {
    const game = await freshGame();
    await put(game, "laps", LAPS);
    const before = [await stored.definitions(game), await stored.periods(game), await stored.compiled(game)];
    for (const [body] of WRONG) problemOf(await put(game, "laps", body), "invalid");
    expect([await stored.definitions(game), await stored.periods(game), await stored.compiled(game)]).toEqual(before);
  });

  it("says in words what is not there yet", async () => {
    const game = await freshGame();
    const details = async (body: unknown) => problemOf(await put(game, "laps", body), "invalid").errors?.[0]?.detail;
    expect(await details(laps({ rewards: [{}] }))).toContain("not taken yet");
    const off = await call(`/v1/games/${game}`, { method: "PUT", body: { defaultBoards: false } });
    const problem = problemOf(off, "invalid");
    expect(pointersOf(problem)).toEqual(["/defaultBoards"]);
    expect(problem.errors?.[0]?.detail).toContain("cannot be switched off yet");
    expect((await call(`/v1/games/${game}`, { method: "PUT", body: { defaultBoards: true } })).status).toBe(200);
  });

  it("may be one under another id: reserved ids and what is no id are refused", async () => {
    const game = await freshGame();
    for (const board of [
      "current",
      "all-time",
      "weekly",
      "previous",
      "Laps",
      "1laps",
      "laps.x",
      "laps~x",
      "x".repeat(33),
    ]) {
      expect(pointersOf(problemOf(await put(game, board, LAPS), "invalid")), board).toEqual(["board"]);
    }
    expect(await stored.definitions(game)).toEqual([]);
    expect((await put(game, "x".repeat(32), LAPS)).status).toBe(201);
  });
});

describe("a definition of the widest kind", () => {
  it("is taken: 53 bits with ties by id, 43 by time, three parts, decimals, negatives", async () => {
    const game = await freshGame();
    const wide = {
      statistic: "xp",
      tie: "id",
      value: { min: -4_503_599_627_370_496, max: 4_503_599_627_370_495, decimals: 0 },
    };
    const good: Readonly<Record<string, unknown>> = {
      wide,
      big: { statistic: "xp", value: { max: 2 ** 43 - 1 } },
      signed: { statistic: "elo", aggregation: "sum", value: { min: -10.25, max: 1000.5, decimals: 2 } },
      run: parts(STARS, TIME, { statistic: "coins", bits: 10 }),
      fine: { statistic: "t", value: { min: 0.000_000_001, max: 1, decimals: 9 } },
    };
    for (const [board, body] of Object.entries(good)) expect((await put(game, board, body)).status, board).toBe(201);
    expect(await stored.compiled(game)).toMatchObject([
      { id: "big", split: 43 },
      { id: "fine", split: 33, low: 1, high: 1_000_000_000 },
      { id: "run", split: 43, statistic: null, parts: [STARS, TIME, { bits: 10 }] },
      { id: "signed", split: 33, low: -1_025, high: 100_050 },
      { id: "wide", split: 53 },
    ]);
  });
});
