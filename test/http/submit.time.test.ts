import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { nextWeek, startOf, weekEnd, weekOf } from "../../functions/domain/board/week.ts";
import { newGame, pointersOf, problemOf } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { lastWeek, pastWeek } from "./times.ts";

const stores = openStores();
const DAY_MS = 86_400_000;

async function databaseNowMs(): Promise<number> {
  const { rows } = await stores.postgres.query("select clock_timestamp() as now");
  return z.object({ now: z.date() }).parse(rows[0]).now.getTime();
}

describe("submittedAt", () => {
  it("puts a submission into the week it names and leaves the current one alone", async () => {
    const game = await newGame();
    const { week, at, iso } = lastWeek();
    const answer = await game.submit({ player: "ada", points: 5, submittedAt: at(7, 250) });
    expect(answer).toMatchObject({
      week,
      submittedAt: at(7, 250),
      rank: 1,
      resetsAt: new Date(weekEnd(week)).toISOString(),
    });
    expect((await game.top(week)).entries).toMatchObject([{ player: "ada", points: 5, achievedAt: iso(7) }]);
    expect((await game.top()).entries).toEqual([]);
    expect((await game.top("all-time")).entries).toMatchObject([{ player: "ada", points: 5, achievedAt: iso(7) }]);
  });

  it("separates two weeks at Monday 00:00:00.000Z", async () => {
    const game = await newGame();
    const { week } = pastWeek(2);
    const monday = weekEnd(week);
    const answers = [];
    for (const atMs of [monday - 1, monday]) {
      answers.push(await game.submit({ player: "ada", points: 5, submittedAt: new Date(atMs).toISOString() }));
    }
    expect(answers.map((answer) => answer.week)).toEqual([week, nextWeek(week)]);
    expect(answers.map(({ improved, previousBest }) => [improved, previousBest])).toEqual([
      [true, null],
      [true, null],
    ]);
    expect(answers.map(({ allTime }) => allTime.improved)).toEqual([true, false]);
    for (const each of [week, nextWeek(week)]) expect((await game.top(each)).boardSize).toBe(1);
  });

  it("keeps a week's first and last second exact", async () => {
    const game = await newGame();
    const { week } = lastWeek();
    const [first, last] = [startOf(week), weekEnd(week) - 1000].map((ms) => new Date(ms).toISOString());
    await game.submit({ player: "late", points: 9, submittedAt: last });
    await game.submit({ player: "early", points: 9, submittedAt: first });
    expect((await game.top(week)).entries.map(({ player, achievedAt }) => [player, achievedAt])).toEqual([
      ["early", first],
      ["late", last],
    ]);
  });

  it("starts a new board with a new week, while last week's stays readable", async () => {
    const game = await newGame();
    const { week, at } = lastWeek();
    await game.submit({ player: "ada", points: 900, submittedAt: at(1) });
    expect(await game.submit({ player: "ada", points: 100 })).toMatchObject({
      improved: true,
      best: 100,
      previousBest: null,
      boardSize: 1,
      allTime: { improved: false, best: 900, rank: 1 },
    });
    expect((await game.standing("ada", week)).points).toBe(900);
    expect((await game.standing("ada")).points).toBe(100);
    expect((await game.standing("ada", "all-time")).points).toBe(900);
  });

  it("may be up to 35 days back and 60 seconds ahead", async () => {
    const game = await newGame();
    for (const offsetMs of [-35 * DAY_MS + 30_000, 50_000]) {
      const submittedAt = new Date(Date.now() + offsetMs).toISOString();
      const answer = await game.submit({ player: "ada", points: 5, submittedAt });
      expect(answer).toMatchObject({ submittedAt, week: weekOf(Date.parse(submittedAt)), rank: 1 });
    }
  });

  it("further back or ahead, or unreadable, is refused and changes nothing", async () => {
    const game = await newGame();
    const offsets = [-35 * DAY_MS - 1_000, 62_000, 10 * 365 * DAY_MS].map((ms) =>
      new Date(Date.now() + ms).toISOString(),
    );
    const unreadable = [
      "yesterday",
      "",
      1_795_961_128,
      null,
      "2026-02-30T00:00:00Z",
      "2026-10-14",
      "2026-10-14T18:03:11",
    ];
    for (const submittedAt of [...offsets, ...unreadable]) {
      const problem = problemOf(await game.post({ player: "ada", points: 5, submittedAt }), "invalid");
      expect(pointersOf(problem)).toEqual(["/submittedAt"]);
    }
    expect(await stores.rows(game.id)).toBe(0);
  });

  it("may carry any offset of ISO 8601", async () => {
    const game = await newGame();
    const atMs = Math.floor(Date.now() / 1000) * 1000 - DAY_MS;
    for (const hours of [23, 16, 2, 0, -5, -23]) {
      const wall = new Date(atMs + hours * 3_600_000).toISOString().slice(0, 19);
      const offset = `${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`;
      const answer = await game.submit({ player: "ada", points: 5, submittedAt: wall + offset });
      expect(Date.parse(answer.submittedAt)).toBe(atMs);
    }
  });

  it("is cut to milliseconds, never rounded into the next second or week", async () => {
    const game = await newGame();
    const { week } = lastWeek();
    const lastSecond = new Date(weekEnd(week) - 1000).toISOString().slice(0, 19);
    const answer = await game.submit({ player: "ada", points: 5, submittedAt: `${lastSecond}.9999999Z` });
    expect(answer).toMatchObject({ week, submittedAt: `${lastSecond}.999Z` });
  });
});

describe("the time of a submission", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is the database's, however wrong the caller's clock is", async () => {
    const game = await newGame();
    for (const hours of [-200, -13, 13, 200]) {
      const before = await databaseNowMs();
      vi.useFakeTimers({ toFake: ["Date"], now: before + hours * 3_600_000 });
      const answer = await game.submit({ player: `off-by-${hours}`, points: 5 });
      vi.useRealTimers();
      const after = await databaseNowMs();
      expect(Date.parse(answer.submittedAt)).toBeGreaterThanOrEqual(Math.floor(before));
      expect(Date.parse(answer.submittedAt)).toBeLessThanOrEqual(after);
      expect(answer.week).toBe(weekOf(Date.parse(answer.submittedAt)));
    }
    expect((await game.top()).boardSize).toBe(4);
  });
});
