import { describe, expect, it } from "vitest";
import { NEXT_WEEK, WEEK } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

const players = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({ player: `p${from + i}`, points: 1 }));

describe("distinct players of a week", () => {
  it("are counted when a request asks: those of the feed that were not counted before", async () => {
    const engine = await server.openGame();
    const board = engine.keys.board(WEEK);
    await engine.submit(players(0, 3), WEEK);
    expect(await engine.count(board, WEEK)).toEqual(["ok", "3", "3", ""]);
    await engine.submit([...players(2, 5), { player: "elsewhere", points: 1, week: NEXT_WEEK }], WEEK);
    expect(await engine.count(board, WEEK)).toEqual(["ok", "5", "5", ""]);
    expect(await engine.count(engine.keys.board(NEXT_WEEK), NEXT_WEEK)).toEqual(["ok", "1", "1", ""]);
  });

  it("are counted a thousand feed entries a call, and the reply says when there are more", async () => {
    const engine = await server.openGame();
    const board = engine.keys.board(WEEK);
    for (const from of [0, 900]) await engine.submit(players(from, from + 900), WEEK);
    const [, first, ranked, more] = await engine.count(board, WEEK);
    expect([ranked, more]).toEqual(["1800", "1"]);
    expect(Number(first)).toBeLessThan(1100);
    const [, estimate, , end] = await engine.count(board, WEEK);
    expect(end).toBe("");
    expect(Math.abs(Number(estimate) - 1800)).toBeLessThan(54);
  });

  it("are not looked for in a week without players: asking for any week leaves no key", async () => {
    const engine = await server.openGame();
    await engine.submit(players(0, 3), WEEK);
    const before = await server.redis.keys(`${engine.keys.prefix}:*`);
    expect(await engine.count(engine.keys.board(NEXT_WEEK), NEXT_WEEK)).toEqual(["ok", "0", "0", ""]);
    expect((await server.redis.keys(`${engine.keys.prefix}:*`)).toSorted()).toEqual(before.toSorted());
  });

  it("stay counted when a correction takes one off the board or the feed is trimmed", async () => {
    const engine = await server.openGame();
    const board = engine.keys.board(WEEK);
    await engine.submit(players(0, 4), WEEK);
    await engine.count(board, WEEK);
    await engine.correct(board, "p0", undefined, "forget");
    await server.redis.xtrim(engine.keys.activity, "MAXLEN", 0);
    expect(await engine.count(board, WEEK)).toEqual(["ok", "4", "3", ""]);
  });
});

it("a board without distinct players of its own has its exact size only", async () => {
  const engine = await server.openGame();
  await engine.submit([{ player: "ann", points: 1, country: "DE" }], WEEK);
  expect(await engine.count(engine.keys.country(WEEK, "DE"))).toEqual(["ok", "", "1", ""]);
  expect(await engine.count(engine.keys.allTime)).toEqual(["ok", "", "1", ""]);
});
