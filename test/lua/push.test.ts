import { describe, expect, it } from "vitest";
import { engineOf, type Engine } from "./engine.ts";
import { NEXT_WEEK, WEEK } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

/** A submission that takes the first place, and what it reports of the week. */
function lead(engine: Engine, points: number) {
  return engine.submit([{ player: `p${points}`, points }], WEEK).then((reply) => reply.weeks[0]);
}

describe("the push lease", () => {
  it("has one holder until the push", async () => {
    const engine = await server.openGame();
    const leases = await Promise.all(Array.from({ length: 10 }, (_, i) => lead(engine, i + 1)));
    expect(leases.filter((week) => week?.lease === "1")).toHaveLength(1);
  });

  it("ends with the push, which reads the newest top 10; the next change gets a lease of its own", async () => {
    const engine = await server.openGame();
    expect((await lead(engine, 1))?.lease).toBe("1");
    expect((await lead(engine, 2))?.lease).toBe("");
    const pushed = await engine.push(engine.keys.board(WEEK));
    expect(pushed).toMatchObject({ status: "ok", boardSize: 2, players: ["p2", "p1"] });
    expect((await lead(engine, 3))?.lease).toBe("1");
  });

  it("ends by itself when its holder died", async () => {
    const engine = await server.openGame();
    await lead(engine, 1);
    const left = await server.redis.pttl(engine.keys.board(WEEK).lease);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(1000);
  });

  it("is granted to a correction too, and to each week on its own", async () => {
    const engine = await server.openGame();
    const reply = await engine.submit(
      [
        { player: "ann", points: 1 },
        { player: "ann", points: 1, week: NEXT_WEEK },
      ],
      WEEK,
    );
    expect(reply.weeks.map(({ lease }) => lease)).toEqual(["1", "1"]);
    await engine.push(engine.keys.board(WEEK));
    expect(await engine.correct(engine.keys.board(WEEK), "ann", undefined)).toMatchObject({ lease: "1" });
  });

  it("is not taken by what leaves the top 10 as it is", async () => {
    const engine = await server.openGame();
    const items = Array.from({ length: 11 }, (_, i) => ({ player: `p${i}`, points: 100 - i }));
    await engine.submit(items, WEEK);
    const before = await engine.push(engine.keys.board(WEEK));
    const best = { points: 100, at: WEEK.start };
    const worse = await engine.submit(
      [
        { player: "p0", points: 3, best, flags: "wa" },
        { player: "new", points: 2 },
      ],
      WEEK,
    );
    expect(worse.weeks).toEqual([{ lease: "" }]);
    expect(await engine.correct(engine.keys.board(WEEK), "new", undefined)).toMatchObject({ lease: "" });
    const { players, entries } = before;
    expect(await engine.push(engine.keys.board(WEEK))).toMatchObject({ players, entries, boardSize: 11 });
  });

  it("shows a push at most ten entries, and a missing game none", async () => {
    const engine = await server.openGame();
    await engine.submit(
      Array.from({ length: 11 }, (_, i) => ({ player: `p${i}`, points: i })),
      WEEK,
    );
    expect((await engine.push(engine.keys.board(WEEK))).players).toHaveLength(10);
    expect((await engineOf(server.redis).push(engine.keys.board(WEEK))).status).toBe("missing");
  });
});
