import { describe, expect, it } from "vitest";
import { call } from "../harness/api.ts";
import { newGame, pointersOf, problemOf, type GameClient } from "../harness/game.ts";

/** A game whose players are named after their ranks: 1, 2, 3, … */
async function gameOfRanks(size: number): Promise<GameClient> {
  const game = await newGame();
  await game.batch(Array.from({ length: size }, (_, i) => ({ player: String(i + 1), points: 1_000 - i })));
  return game;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe("GET /boards/{board}/around/{player}", () => {
  const windows = [
    { size: 10, rank: 5, k: 2, from: 3, to: 7 },
    { size: 10, rank: 2, k: 2, from: 1, to: 5 },
    { size: 10, rank: 1, k: 2, from: 1, to: 5 },
    { size: 10, rank: 9, k: 2, from: 6, to: 10 },
    { size: 10, rank: 10, k: 2, from: 6, to: 10 },
    { size: 10, rank: 4, k: 0, from: 4, to: 4 },
    { size: 10, rank: 7, k: 50, from: 1, to: 10 },
    { size: 3, rank: 1, k: 2, from: 1, to: 3 },
    { size: 3, rank: 3, k: 2, from: 1, to: 3 },
    { size: 3, rank: 3, k: 1, from: 1, to: 3 },
    { size: 1, rank: 1, k: 2, from: 1, to: 1 },
  ];

  it.each(windows)("of rank $rank of $size with k=$k shows $from to $to", async ({ size, rank, k, from, to }) => {
    const game = await gameOfRanks(size);
    for (const board of ["current", "all-time"]) {
      const answer = await game.around(String(rank), { k }, board);
      expect(answer.entries.map((entry) => [entry.rank, entry.player])).toEqual(
        range(from, to).map((r) => [r, String(r)]),
      );
      expect(answer).toMatchObject({ entry: { rank, player: String(rank) }, boardSize: size });
    }
  });

  it("has two neighbours on each side unless asked for other", async () => {
    const game = await gameOfRanks(10);
    expect((await game.around("5")).entries.map(({ rank }) => rank)).toEqual([3, 4, 5, 6, 7]);
  });

  it("shares competition ranks with entries outside the window", async () => {
    const game = await newGame();
    await game.batch(["a", "b", "c", "d", "e"].map((player) => ({ player, points: player === "e" ? 1 : 7 })));
    const { entries } = await game.around("a", { k: 1 });
    expect(entries.map(({ rank, competitionRank }) => [rank, competitionRank])).toEqual([
      [3, 1],
      [4, 1],
      [5, 5],
    ]);
  });

  it("refuses a k that is no integer from 0 to 50", async () => {
    const game = await gameOfRanks(3);
    for (const k of ["-1", "51", "1.5", "x"]) {
      const problem = problemOf(await call(`${game.base}/boards/current/around/1?k=${k}`), "invalid");
      expect(pointersOf(problem)).toEqual(["k"]);
    }
  });
});

describe("GET /boards/{board}/players/{player}", () => {
  it.each([
    [1, 100],
    [2, 90],
    [5, 60],
    [10, 10],
  ])("of rank %d of ten has the percentile %d", async (rank, percentile) => {
    const game = await gameOfRanks(10);
    expect(await game.standing(String(rank))).toMatchObject({ rank, competitionRank: rank, boardSize: 10, percentile });
  });

  it("has two decimals of percentile", async () => {
    const game = await gameOfRanks(3);
    expect((await game.standing("2")).percentile).toBe(66.67);
    expect((await game.standing("3")).percentile).toBe(33.33);
  });
});

describe("a player who is not on the board", () => {
  it("is a 404 of standing and around, on every kind of board", async () => {
    const game = await newGame();
    await game.submit({ player: "ada", points: 1, country: "DE" });
    const boards = ["current", "all-time", "2026-W02"];
    for (const board of boards) {
      problemOf(await call(`${game.base}/boards/${board}/players/nobody`), "not-ranked");
      problemOf(await call(`${game.base}/boards/${board}/around/nobody`), "not-ranked");
    }
    problemOf(await call(`${game.base}/boards/current/players/ada?country=FR`), "not-ranked");
    problemOf(await call(`${game.base}/boards/current/around/ada?country=FR`), "not-ranked");
  });
});

describe("GET /boards/{board}/players-count", () => {
  it("counts every player once, on the week's and the all-time board", async () => {
    const game = await newGame();
    await game.batch(Array.from({ length: 300 }, (_, i) => ({ player: `p${i % 100}`, points: i })));
    const week = await game.count();
    expect(week.ranked).toBe(100);
    expect(Math.abs(week.estimate - 100)).toBeLessThanOrEqual(3);
    expect(await game.count("all-time")).toMatchObject({ board: "all-time", estimate: 100, ranked: 100 });
  });

  it("of an empty board is nobody", async () => {
    const game = await newGame();
    expect(await game.count()).toMatchObject({ estimate: 0, ranked: 0 });
    expect(await game.count("all-time")).toMatchObject({ estimate: 0, ranked: 0 });
  });
});
