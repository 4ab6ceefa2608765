import { describe, expect, it } from "vitest";
import { engineOf, nowUs, type Engine } from "./engine.ts";
import { WEEK } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

async function withThree(): Promise<Engine> {
  const engine = await server.openGame();
  const items = ["ann", "bob", "cid"].map((player, i) => ({
    player,
    points: 30 - i,
    country: "DE",
    submission: `s-${player}`,
  }));
  await engine.submit(
    [...items, { player: "ann", points: 1, submission: "s-ann-2", best: { points: 30, at: WEEK.start } }],
    WEEK,
  );
  return engine;
}

const submissionsIn = async (engine: Engine) => (await engine.events()).map((event) => event["submission"]);

describe("correct", () => {
  it("lowers an entry to what Postgres says, on every kind of board", async () => {
    const engine = await withThree();
    const best = { points: 5, at: WEEK.start + 60 };
    for (const board of [engine.keys.board(WEEK), engine.keys.country(WEEK, "DE"), engine.keys.allTime]) {
      await engine.correct(board, "ann", best);
      const page = await engine.top(board);
      expect(page.players).toEqual(["bob", "cid", "ann"]);
      expect(page.entries[2]).toEqual({ player: "ann", ...best });
    }
  });

  it("removes an entry, and leaves a player alone who is not there", async () => {
    const engine = await withThree();
    for (const board of [engine.keys.board(WEEK), engine.keys.country(WEEK, "DE"), engine.keys.allTime]) {
      await engine.correct(board, "bob", undefined);
      await engine.correct(board, "nobody", undefined);
      expect((await engine.top(board)).players).toEqual(["ann", "cid"]);
    }
  });

  it("takes several boards in one call", async () => {
    const engine = await withThree();
    const [week, country, { allTime }] = [engine.keys.board(WEEK), engine.keys.country(WEEK, "DE"), engine.keys];
    const keys = [
      engine.keys.activity,
      ...[week, country, allTime].flatMap(({ key, moderated, lease }) => [key, moderated, lease]),
    ];
    const boards = [
      [WEEK.start, WEEK.expiry, "", "", "top"],
      [WEEK.start, WEEK.expiry, "", "", ""],
      ["", "", 7, WEEK.start, "top"],
    ];
    await engine.push(week);
    const now = nowUs();
    const reply = await engine.call("correct", keys, ["ann", now, "", ...boards.flat()]);
    expect(reply).toEqual(["ok", "1", "", "", String(now)]);
    expect((await engine.top(week)).players).toEqual(["bob", "cid"]);
    expect((await engine.top(country)).players).toEqual(["bob", "cid"]);
    expect((await engine.top(allTime)).players).toEqual(["bob", "cid", "ann"]);
  });

  it("removes one submission's feed event, or all of a player's, or none", async () => {
    const engine = await withThree();
    const best = { points: 30, at: WEEK.start };
    await engine.correct(engine.keys.board(WEEK), "ann", best);
    expect(await submissionsIn(engine)).toEqual(["s-ann", "s-bob", "s-cid", "s-ann-2"]);
    await engine.correct(engine.keys.board(WEEK), "ann", best, "s-ann-2");
    expect(await submissionsIn(engine)).toEqual(["s-ann", "s-bob", "s-cid"]);
    await engine.correct(engine.keys.board(WEEK), "ann", undefined, "forget");
    expect(await submissionsIn(engine)).toEqual(["s-bob", "s-cid"]);
  });

  it("finds a player's events in a feed of several pages", async () => {
    const engine = await server.openGame();
    for (let page = 0; page < 3; page++) {
      const items = Array.from({ length: 1000 }, (_, i) => ({ player: i % 500 === 0 ? "ann" : `p${i}`, points: i }));
      await engine.submit(items, WEEK);
    }
    await engine.correct(engine.keys.board(WEEK), "ann", undefined, "forget");
    const players = (await engine.events()).map((event) => event["player"]);
    expect(players).toHaveLength(3000 - 6);
    expect(players).not.toContain("ann");
  });

  it("works on a missing game", async () => {
    const engine = engineOf(server.redis);
    const best = { points: 3, at: WEEK.start };
    expect(await engine.correct(engine.keys.board(WEEK), "ann", best, "forget")).toMatchObject({ lease: "1" });
    expect(await server.redis.exists(engine.keys.activity)).toBe(0);
  });
});
