import { describe, expect, it } from "vitest";
import { allTimeScore } from "../../functions/domain/board/score.ts";
import { startOf } from "../../functions/domain/board/week.ts";
import { call } from "../harness/api.ts";
import { newGame, pointersOf, problemOf } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { lastWeek } from "./times.ts";
import { allTimeKey, weekKey } from "../harness/board-keys.ts";

const stores = openStores();
const MOST = 8_589_934_591;

describe("points", () => {
  it.each([0, 1, 4_294_967_296, MOST - 1, MOST])("of %d are exact on every board and in Postgres", async (points) => {
    const game = await newGame();
    await game.submit({ player: "ada", points });
    for (const board of ["current", "all-time"]) {
      expect((await game.top(board)).entries).toMatchObject([{ points }]);
      expect(await game.standing("ada", board)).toMatchObject({ points });
    }
    expect((await game.feed()).events).toMatchObject([{ points, best: points }]);
    expect((await stores.bests(game.id)).map((row) => row.points)).toEqual([points, points]);
  });

  it("next to the maximum stay apart, and the packed score of the maximum at second 0 is 2^53 − 1", async () => {
    const game = await newGame();
    const { week } = lastWeek();
    const submittedAt = new Date(startOf(week)).toISOString();
    await game.submit({ player: "a", points: MOST - 1, submittedAt });
    await game.submit({ player: "b", points: MOST, submittedAt });
    expect((await game.top(week)).entries.map(({ points }) => points)).toEqual([MOST, MOST - 1]);
    expect((await game.top("all-time")).entries.map(({ points }) => points)).toEqual([MOST, MOST - 1]);
    expect(Number(await stores.redis.zscore(weekKey(game.id, week), "b"))).toBe(2 ** 53 - 1);
    const allTime = await stores.redis.zscore(allTimeKey(game.id), "b");
    expect(Number(allTime)).toBe(allTimeScore(MOST, startOf(week) / 1000));
  });

  const refused = [
    "-5",
    "1.5",
    "8589934592",
    '"100"',
    "true",
    "null",
    "1e400",
    "-1e400",
    "[]",
    "{}",
    "9007199254740993",
  ];

  it.each(refused)("of %s are refused with the pointer to the field, and nothing is written", async (points) => {
    const game = await newGame();
    const untouched = await stores.keys(game.id);
    const answer = await call(`${game.base}/scores`, { rawBody: `{"player":"ada","points":${points}}` });
    expect(new Set(pointersOf(problemOf(answer, "invalid")))).toEqual(new Set(["/points"]));
    expect(await stores.rows(game.id)).toBe(0);
    expect(await stores.keys(game.id)).toEqual(untouched);
    expect((await game.feed()).events).toEqual([]);
  });

  it("that are missing are refused the same way", async () => {
    const game = await newGame();
    const untouched = await stores.keys(game.id);
    const problem = problemOf(await game.post({ player: "ada" }), "invalid");
    expect(pointersOf(problem)).toEqual(["/points"]);
    expect(await stores.rows(game.id)).toBe(0);
    expect(await stores.keys(game.id)).toEqual(untouched);
  });

  it.each(["NaN", "Infinity", "0x10", "010", "+1", ".5", "1_000"])("of %s are no JSON", async (points) => {
    const game = await newGame();
    const answer = await call(`${game.base}/scores`, { rawBody: `{"player":"ada","points":${points}}` });
    problemOf(answer, "unreadable");
    expect(await stores.rows(game.id)).toBe(0);
  });

  it.each([
    ["1e3", 1000],
    ["12.0", 12],
    ["-0", 0],
  ])("written as %s are the integer they are", async (text, points) => {
    const game = await newGame();
    const answer = await call(`${game.base}/scores`, { rawBody: `{"player":"ada","points":${text}}` });
    expect(answer).toMatchObject({ status: 201, body: { points, best: points } });
  });

  it("above the game's maximum are refused, at it they are fine", async () => {
    const game = await newGame({ maxPoints: 1000 });
    const problem = problemOf(await game.post({ player: "ada", points: 1001 }), "invalid");
    expect(pointersOf(problem)).toEqual(["/points"]);
    expect(await stores.rows(game.id)).toBe(0);
    expect(await game.submit({ player: "ada", points: 1000 })).toMatchObject({ best: 1000, rank: 1 });
  });
});
