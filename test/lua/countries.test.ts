import { describe, expect, it } from "vitest";
import type { Engine } from "./engine.ts";
import { NEXT_WEEK, WEEK } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

const playersOf = async (engine: Engine, code: string, week = WEEK) =>
  (await engine.top(engine.keys.country(week, code))).players;

describe("country boards", () => {
  it("rank a player among those of the same country", async () => {
    const engine = await server.openGame();
    await engine.submit(
      [
        { player: "ann", points: 9, country: "DE" },
        { player: "bob", points: 8, country: "FR" },
      ],
      WEEK,
    );
    const reply = await engine.submit([{ player: "cid", points: 7, country: "FR" }], WEEK);
    expect(reply.places).toEqual([{ rank: "3", countryRank: "2", allTimeRank: "3" }]);
  });

  it("have nobody without a country", async () => {
    const engine = await server.openGame();
    const reply = await engine.submit([{ player: "ann", points: 9 }], WEEK);
    expect(reply.places[0]?.countryRank).toBe("");
    expect(await server.redis.keys(`${engine.keys.prefix}:board:${WEEK.label}:??`)).toEqual([]);
  });

  it("hand a player over with the week's best, though the submission is no best", async () => {
    const engine = await server.openGame();
    const best = { points: 50, at: WEEK.start + 5 };
    await engine.submit([{ player: "ann", points: 50, at: best.at, country: "DE" }], WEEK);
    await engine.submit([{ player: "ann", points: 1, best, country: "FR", left: ["DE"], flags: "w" }], WEEK);
    expect(await playersOf(engine, "DE")).toEqual([]);
    expect((await engine.top(engine.keys.country(WEEK, "FR"))).entries).toEqual([{ player: "ann", ...best }]);
  });

  it("let go of a player who left several, comes back, or has no country any more", async () => {
    const engine = await server.openGame();
    const ann = { player: "ann", points: 5, flags: "w" };
    await engine.submit(
      [
        { ...ann, country: "DE" },
        { ...ann, country: "FR" },
      ],
      WEEK,
    );
    await engine.submit([{ ...ann, country: "US", left: ["DE", "FR"] }], WEEK);
    expect([await playersOf(engine, "DE"), await playersOf(engine, "FR"), await playersOf(engine, "US")]).toEqual([
      [],
      [],
      ["ann"],
    ]);
    await engine.submit([{ ...ann, country: "DE", left: ["US"] }], WEEK);
    expect(await playersOf(engine, "DE")).toEqual(["ann"]);
    await engine.submit([{ ...ann, left: ["DE"] }], WEEK);
    expect(await playersOf(engine, "DE")).toEqual([]);
    expect((await engine.top(engine.keys.board(WEEK))).players).toEqual(["ann"]);
  });

  it("of another week stay as they were", async () => {
    const engine = await server.openGame();
    await engine.submit([{ player: "ann", points: 5, country: "DE" }], WEEK);
    await engine.submit([{ player: "ann", points: 5, week: NEXT_WEEK, country: "FR" }], WEEK);
    expect(await playersOf(engine, "DE")).toEqual(["ann"]);
    expect(await playersOf(engine, "FR", NEXT_WEEK)).toEqual(["ann"]);
  });
});
