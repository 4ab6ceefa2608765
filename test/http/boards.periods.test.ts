import { describe, expect, it } from "vitest";
import { call, freshGame, freshGameId } from "../harness/api.ts";
import { pointersOf, problemOf } from "../harness/game.ts";
import { gameWith, LAPS, pathOf, periodsOf, put, storedBoards } from "./defined-boards.ts";

const stored = storedBoards();
const HOUR_MS = 3_600_000;
const WITHOUT_END = { kind: "never" };
const every = (text: string) => ({ kind: "every", every: text, anchor: "2026-01-01T00:00:00Z" });
const daily = (at: string) => ({ kind: "day", zone: "UTC", at });
/** A schedule whose period runs for at least another hour. */
const longDays = () => daily(new Date(Date.now() + 12 * HOUR_MS).toISOString().slice(11, 16));
const boundsOf = (rows: readonly { period: string; starts_at: Date; ends_at: Date }[]) =>
  rows.map(({ period, starts_at, ends_at }) => [period, starts_at.toISOString(), ends_at.toISOString()]);
const running = <T extends { starts_at: Date }>(rows: readonly T[]) =>
  rows.filter((row) => row.starts_at.getTime() <= Date.now());

describe("GET …/boards/{board}/periods", () => {
  it("begins with the one that holds the present, and the next ones follow without a gap", async () => {
    const game = await gameWith("laps", { ...LAPS, schedule: longDays() });
    const periods = await periodsOf(game, "laps", "?n=5");
    expect(periods.map(({ state }) => state)).toEqual(["open", "upcoming", "upcoming", "upcoming", "upcoming"]);
    for (const [i, period] of periods.slice(1).entries()) expect(period.startsAt).toBe(periods[i]?.endsAt);
    expect(await periodsOf(game, "laps")).toHaveLength(10);
  });

  it("computes times that have no row, and writes none", async () => {
    const game = await gameWith("laps", { ...LAPS, schedule: { kind: "day", zone: "Europe/Berlin", at: "04:00" } });
    const before = await stored.periods(game);
    expect(await periodsOf(game, "laps", "?from=2026-03-28T12:00:00Z&n=3")).toMatchObject([
      { period: "2026-03-28", startsAt: "2026-03-28T03:00:00.000Z", endsAt: "2026-03-29T02:00:00.000Z" },
      { period: "2026-03-29", startsAt: "2026-03-29T02:00:00.000Z", endsAt: "2026-03-30T02:00:00.000Z" },
      { period: "2026-03-30", endsAt: "2026-03-31T02:00:00.000Z" },
    ]);
    expect(await periodsOf(game, "laps", "?from=2001-01-01T00:00:00%2B05:00&n=1")).toMatchObject([
      { period: "2000-12-31", state: "closed" },
    ]);
    expect(await stored.periods(game)).toEqual(before);
  });

  it("says open until the grace has passed, and what its row says when it is final", async () => {
    const minutes = { ...LAPS, schedule: every("PT1M"), graceSeconds: 600 };
    const game = await gameWith("laps", minutes);
    const from = (agoMs: number) => `?n=1&from=${new Date(Date.now() - agoMs).toISOString()}`;
    expect(await periodsOf(game, "laps", from(120_000))).toMatchObject([{ state: "open" }]);
    expect(await periodsOf(game, "laps", from(780_000))).toMatchObject([{ state: "closed" }]);
    const [first] = await stored.periods(game);
    await stored.postgres.query("update periods set state = 'final' where game = $1 and period = $2", [
      game,
      first?.period,
    ]);
    expect(await periodsOf(game, "laps", `?n=1&from=${first?.starts_at.toISOString()}`)).toMatchObject([
      { state: "final" },
    ]);
  });

  it("tells times apart as the rule needs it, also when the rule changes before anybody has played", async () => {
    const week = { ...LAPS, schedule: every("P7D"), value: { max: 1_000 } };
    const game = await gameWith("laps", week);
    const units = async () => {
      const { rows } = await stored.postgres.query("select unit_ms from periods where game = $1", [game]);
      return new Set(rows.map((row: { unit_ms: unknown }) => row.unit_ms));
    };
    expect(await units()).toEqual(new Set([1]));
    expect((await put(game, "laps", { ...week, value: { max: 2 ** 42 } })).status).toBe(200);
    expect(await units()).toEqual(new Set([1_000]));
  });

  it("has one period for a board that never begins anew", async () => {
    const game = await gameWith("laps", { ...LAPS, schedule: WITHOUT_END });
    const all = [{ period: "all", startsAt: null, endsAt: null, state: "open" }];
    expect(await periodsOf(game, "laps")).toEqual(all);
    expect(await periodsOf(game, "all-time")).toEqual(all);
  });

  it("has the weeks of the board of every game", async () => {
    const game = await freshGame();
    expect(await periodsOf(game, "weekly", "?from=2026-10-14T18:00:00Z&n=2")).toMatchObject([
      { period: "2026-W42", startsAt: "2026-10-12T00:00:00.000Z" },
      { period: "2026-W43", startsAt: "2026-10-19T00:00:00.000Z" },
    ]);
  });

  it("refuses what is no time, more than 100, and other parameters", async () => {
    const game = await gameWith("laps", LAPS);
    const ask = (query: string) => call(`${pathOf(game, "laps")}/periods${query}`, { key: null });
    for (const [query, pointer] of [
      ["?from=today", "from"],
      ["?from=2026-10-14", "from"],
      ["?n=0", "n"],
      ["?n=101", "n"],
      ["?to=2026-10-14T00:00:00Z", "to"],
    ] as const) {
      expect(pointersOf(problemOf(await ask(query), "invalid"))).toEqual([pointer]);
    }
    expect((await ask("?n=100")).status).toBe(200);
    for (const from of ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
      expect((await ask(`?from=${from}`)).status).toBe(200);
    problemOf(await call(`${pathOf(game, "lap")}/periods`), "unknown-board");
    problemOf(await call(`${pathOf(freshGameId(), "weekly")}/periods`), "unknown-game");
  });
});

describe("another schedule", () => {
  it("replaces only rows that have not begun, and begins where the running period ends", async () => {
    const game = await gameWith("laps", { ...LAPS, schedule: longDays() });
    const before = running(await stored.periods(game));
    expect((await put(game, "laps", { ...LAPS, schedule: every("PT7H") })).status).toBe(200);
    const rows = await stored.periods(game);
    expect(boundsOf(running(rows))).toEqual(boundsOf(before));
    expect(rows).toHaveLength(3);
    for (const [i, row] of rows.slice(1).entries()) expect(row.starts_at).toEqual(rows[i]?.ends_at);
    expect(rows[2]?.period).toMatch(/^\d{8}T\d{4}Z$/);
    const shown = await periodsOf(game, "laps", "?n=3");
    expect(shown.map(({ period }) => period)).toEqual(rows.map(({ period }) => period));
  });

  it("that is taken back before it has begun leaves everything as it was", async () => {
    const schedule = longDays();
    const game = await gameWith("laps", { ...LAPS, schedule });
    const before = await stored.periods(game);
    await put(game, "laps", { ...LAPS, schedule: every("PT7H") });
    await put(game, "laps", { ...LAPS, schedule });
    expect(boundsOf(await stored.periods(game))).toEqual(boundsOf(before));
  });

  it("cannot follow a period that never ends", async () => {
    const game = await gameWith("laps", { ...LAPS, schedule: WITHOUT_END });
    const problem = problemOf(await put(game, "laps", LAPS), "conflict");
    expect(pointersOf(problem)).toEqual(["/schedule"]);
    expect(problem.detail).toContain("Define another board");
    expect((await put(game, "laps", { ...LAPS, schedule: WITHOUT_END, graceSeconds: 10 })).status).toBe(200);
    expect(await stored.periods(game)).toMatchObject([{ period: "all" }]);
  });

  it("cannot move a season that has begun, and may add seasons after it", async () => {
    const at = (days: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 + days * 24 * HOUR_MS).toISOString();
    const season = (id: string, from: number, to: number) => ({ id, startsAt: at(from), endsAt: at(to) });
    const [first, second, third] = [season("s1", -10, 10), season("s2", 10, 20), season("s3", 30, 40)];
    const body = (...seasons: unknown[]) => ({ ...LAPS, schedule: { kind: "seasons", seasons } });
    const game = await gameWith("laps", body(first, second));
    const problem = problemOf(await put(game, "laps", body({ ...first, endsAt: at(9) }, second)), "conflict");
    expect(pointersOf(problem)).toEqual(["/schedule/seasons/0"]);
    expect((await put(game, "laps", body(first, { ...second, endsAt: at(25) }, third))).status).toBe(200);
    expect(boundsOf(await stored.periods(game))).toEqual([
      ["s1", first.startsAt, first.endsAt],
      ["s2", second.startsAt, at(25)],
      ["s3", third.startsAt, third.endsAt],
    ]);
    expect(await periodsOf(game, "laps", `?from=${at(26)}`)).toMatchObject([{ period: "s3" }]);
  });
});

describe("another grace", () => {
  it("holds from the next period on", async () => {
    const schedule = longDays();
    const game = await gameWith("laps", { ...LAPS, schedule, graceSeconds: 60 });
    await put(game, "laps", { ...LAPS, schedule, graceSeconds: 3_600 });
    const text = `select extract(epoch from closes_at - ends_at)::int as grace from periods where game = $1 order by starts_at`;
    const { rows } = await stored.postgres.query(text, [game]);
    expect(rows).toEqual([{ grace: 60 }, { grace: 3_600 }, { grace: 3_600 }]);
  });
});
