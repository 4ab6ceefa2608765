import { describe, expect, it } from "vitest";
import { newGame, type GameClient } from "../harness/game.ts";
import { lastWeek } from "./times.ts";

const playersOf = async (game: GameClient, board: string) =>
  (await game.top(board, { n: 100 })).entries.map(({ player }) => player);

describe("equal points", () => {
  it("rank the earlier second first, whatever the ids and the order of arrival", async () => {
    const { at, week } = lastWeek();
    for (const [first, second] of [
      ["zzz", "aaa"],
      ["aaa", "zzz"],
    ]) {
      const game = await newGame();
      await game.submit({ player: second, points: 100, submittedAt: at(11) });
      await game.submit({ player: first, points: 100, submittedAt: at(10) });
      expect(await playersOf(game, week)).toEqual([first, second]);
      expect(await playersOf(game, "all-time")).toEqual([first, second]);
    }
  });

  it("of the same second rank by id, descending by bytes", async () => {
    const { at, week } = lastWeek();
    const game = await newGame();
    const ids = ["a", "b", "B", "aa", "Z", "é", "z", "😀", "～", "10", "9"];
    for (const [i, player] of ids.entries()) {
      await game.submit({ player, points: 7, submittedAt: at(10, i * 50) });
    }
    const byBytes = ids.toSorted((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a)));
    expect(await playersOf(game, week)).toEqual(byBytes);
    expect(await playersOf(game, "all-time")).toEqual(byBytes);
  });

  it("at 8,589,934,591 points still rank by the second", async () => {
    const { at, week } = lastWeek();
    const game = await newGame();
    for (const second of [20, 30, 10]) {
      await game.submit({ player: `at-${second}`, points: 8_589_934_591, submittedAt: at(second) });
    }
    expect(await playersOf(game, week)).toEqual(["at-10", "at-20", "at-30"]);
    expect(await playersOf(game, "all-time")).toEqual(["at-10", "at-20", "at-30"]);
  });

  it("of one player are no improvement when they come later, and are one when they were earlier", async () => {
    const { at, week, iso } = lastWeek();
    const game = await newGame();
    await game.submit({ player: "ada", points: 100, submittedAt: at(10) });
    const later = await game.submit({ player: "ada", points: 100, submittedAt: at(20) });
    expect(later).toMatchObject({ improved: false, best: 100, previousBest: 100, allTime: { improved: false } });
    await game.submit({ player: "ada", points: 50, submittedAt: at(30) });
    expect(await game.standing("ada", week)).toMatchObject({ points: 100, achievedAt: iso(10), rank: 1 });

    const earlier = await game.submit({ player: "ada", points: 100, submittedAt: at(5) });
    expect(earlier).toMatchObject({ improved: true, best: 100, allTime: { improved: true, best: 100 } });
    expect(await game.standing("ada", week)).toMatchObject({ points: 100, achievedAt: iso(5) });
    expect(await game.standing("ada", "all-time")).toMatchObject({ points: 100, achievedAt: iso(5) });
  });

  it("within one second of one player are no improvement", async () => {
    const { at } = lastWeek();
    const game = await newGame();
    await game.submit({ player: "ada", points: 100, submittedAt: at(10, 900) });
    const again = await game.submit({ player: "ada", points: 100, submittedAt: at(10, 100) });
    expect(again).toMatchObject({ improved: false, allTime: { improved: false } });
  });

  it("share a competition rank: 101, 100, 100, 99 are 1, 2, 2, 4", async () => {
    const game = await newGame();
    for (const [player, points] of [
      ["a", 101],
      ["b", 100],
      ["c", 100],
      ["d", 99],
    ]) {
      await game.submit({ player, points });
    }
    for (const board of ["current", "all-time"]) {
      const { entries } = await game.top(board);
      expect(entries.map(({ rank, competitionRank }) => [rank, competitionRank])).toEqual([
        [1, 1],
        [2, 2],
        [3, 2],
        [4, 4],
      ]);
      expect(await game.standing("d", board)).toMatchObject({ rank: 4, competitionRank: 4 });
      const third = entries[2];
      expect(await game.standing(third?.player ?? "", board)).toMatchObject({ rank: 3, competitionRank: 2 });
    }
  });
});
