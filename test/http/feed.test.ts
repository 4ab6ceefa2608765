import { describe, expect, it } from "vitest";
import { call, freshGameId } from "../harness/api.ts";
import { newGame, pointersOf, problemOf } from "../harness/game.ts";
import { lastWeek } from "./times.ts";

describe("GET /feed", () => {
  it("of a new game is empty", async () => {
    expect(await (await newGame()).feed()).toEqual({ events: [], next: null });
  });

  it("has every submission, improved or not, newest first, with the best and the rank it produced", async () => {
    const game = await newGame();
    for (const [player, points] of [
      ["a", 50],
      ["b", 70],
      ["a", 30],
      ["a", 90],
    ])
      await game.submit({ player, points });
    const { events } = await game.feed();
    expect(events.map(({ player, points, best, rank }) => [player, points, best, rank])).toEqual([
      ["a", 90, 90, 1],
      ["a", 30, 50, 2],
      ["b", 70, 70, 1],
      ["a", 50, 50, 1],
    ]);
  });

  it("has backdated submissions with the week and time they name", async () => {
    const game = await newGame();
    const { week, at } = lastWeek();
    await game.submit({ player: "a", points: 1, submittedAt: at(3, 7) });
    expect((await game.feed()).events).toMatchObject([{ week, submittedAt: at(3, 7) }]);
  });

  it("pages from the newest to the oldest without repeating or skipping", async () => {
    const game = await newGame();
    await game.batch(Array.from({ length: 45 }, (_, i) => ({ player: `p${i}`, points: i })));
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await game.feed({ n: 10, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.events.map(({ points }) => points));
      cursor = page.next ?? undefined;
      await game.submit({ player: "meanwhile", points: 1_000 });
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 45 }, (_, i) => 44 - i));
  });

  it("has twenty events unless asked for other, up to 100", async () => {
    const game = await newGame();
    await game.batch(Array.from({ length: 110 }, (_, i) => ({ player: `p${i}`, points: i })));
    expect((await game.feed()).events).toHaveLength(20);
    expect((await game.feed({ n: 100 })).events).toHaveLength(100);
  });

  it("refuses numbers and cursors that cannot be", async () => {
    const game = await newGame();
    const wrong = [
      "n=0",
      "n=101",
      "n=x",
      "cursor=x",
      "cursor=0-0",
      "cursor=1",
      "cursor=-1-1",
      "cursor=",
      "cursor=99999999999999999999-0",
      "cursor=1-99999999999999999999",
    ];
    for (const query of wrong) {
      const problem = problemOf(await call(`${game.base}/feed?${query}`), "invalid");
      expect(pointersOf(problem), query).toEqual([query.split("=")[0]]);
    }
  });

  it("of an unknown game is a 404", async () => {
    problemOf(await call(`/v1/games/${freshGameId()}/feed`), "unknown-game");
  });
});
