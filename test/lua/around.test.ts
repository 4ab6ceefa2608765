import { describe, expect, it } from "vitest";
import { placesFrom } from "../../functions/domain/board/ranking.ts";
import { WEEK } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

/** A board whose players are named after their ranks: 1, 2, 3, … */
async function boardOf(size: number, pointsOf = (rank: number) => 1000 - rank) {
  const engine = await server.openGame();
  const list = Array.from({ length: size }, (_, i) => ({
    player: `${i + 1}`,
    points: pointsOf(i + 1),
    at: WEEK.start + i,
  }));
  for (const board of [engine.keys.board(WEEK), engine.keys.allTime]) await engine.fill(board, list);
  return engine;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

describe("around", () => {
  const windows: [size: number, rank: number, k: number, from: number, to: number][] = [
    [10, 5, 2, 3, 7],
    [10, 2, 2, 1, 5],
    [10, 1, 2, 1, 5],
    [10, 9, 2, 6, 10],
    [10, 10, 2, 6, 10],
    [10, 5, 0, 5, 5],
    [10, 10, 0, 10, 10],
    [10, 5, 50, 1, 10],
    [3, 1, 2, 1, 3],
    [3, 2, 2, 1, 3],
    [3, 3, 2, 1, 3],
    [3, 3, 1, 1, 3],
    [1, 1, 0, 1, 1],
    [1, 1, 2, 1, 1],
  ];
  it.each(windows)("on a board of %i shows rank %i with k=%i the places %i to %i", async (size, rank, k, from, to) => {
    const engine = await boardOf(size);
    for (const board of [engine.keys.board(WEEK), engine.keys.allTime]) {
      const page = await engine.around(board, String(rank), k);
      expect(page).toMatchObject({ status: "ok", boardSize: size, firstRank: from });
      expect(page.players).toEqual(range(from, to));
    }
  });

  it("says absent, and how many are ranked, for a player who is not on the board", async () => {
    const engine = await boardOf(3);
    expect(await engine.around(engine.keys.board(WEEK), "nobody", 2)).toMatchObject({ status: "absent", boardSize: 3 });
    expect(await engine.around(engine.keys.country(WEEK, "DE"), "1", 2)).toMatchObject({
      status: "absent",
      boardSize: 0,
    });
  });

  it("gives the shared rank of the first entry, from which all others follow", async () => {
    const engine = await boardOf(10, (rank) => (rank <= 1 ? 101 : rank <= 6 ? 100 : 99));
    for (const board of [engine.keys.board(WEEK), engine.keys.allTime]) {
      for (const [rank, shared] of [
        [1, 1],
        [3, 2],
        [6, 2],
        [7, 7],
        [10, 7],
      ] as const) {
        const page = await engine.around(board, String(rank), 0);
        expect([page.firstRank, page.firstCompetitionRank]).toEqual([rank, shared]);
      }
      const page = await engine.around(board, "6", 1);
      const first = { rank: page.firstRank, competitionRank: page.firstCompetitionRank };
      expect(
        placesFrom(
          first,
          page.entries.map(({ points }) => points),
        ).map((place) => place.competitionRank),
      ).toEqual([2, 2, 7]);
    }
  });
});
