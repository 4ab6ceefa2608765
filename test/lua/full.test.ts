import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { librarySource } from "../../lua/loader.ts";
import { withSizeCheck } from "../../local/upstash/record-size.ts";
import { engineOf, nowUs, type Engine, type Entry, type Item } from "./engine.ts";
import { filling } from "./filling.ts";
import { WEEK } from "./keys.ts";
import { LIBRARY, startRedis, type Server } from "./redis-server.ts";

/** What a key may hold here: about two hundred players. */
const LIMIT = 32 * 1024;
const MANY = 1_000;

let server: Server;
let engine: Engine;
beforeAll(async () => {
  server = await startRedis({ library: false });
  const [name, ...args] = withSizeCheck(["FUNCTION", "LOAD", librarySource(LIBRARY, "redis")], "FUNCTION", LIMIT);
  await server.redis.call(name, ...args);
});
afterAll(() => server.stop());
beforeEach(async () => {
  engine = engineOf(server.redis);
  await engine.open();
});

const player = (n: number): Item => ({ player: `player-${n}`, points: n, country: n % 50 === 0 ? "LI" : "DE" });
const entry = (n: number): Entry => ({ player: `player-${n}`, points: n, at: WEEK.start });
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

/** Submits one by one until nobody fits any more; the last answer. */
async function fillUp() {
  for (const n of numbers(1, MANY)) {
    const answer = await engine.submit([player(n)], WEEK);
    if (answer.places[0]?.rank === "") return { ...answer, n };
  }
  throw new Error("the board took everybody");
}

describe("a board that outgrew its key", () => {
  it("is closed by the submission that finds no room, which is no failure", async () => {
    const { status, places, n } = await fillUp();
    expect(n).toBeGreaterThan(50);
    expect(status).toBe("ranked");
    expect(places[0]).toMatchObject({ rank: "" });
    expect(await server.redis.get(engine.keys.board(WEEK).key)).toBe("full");
    expect(await server.redis.expiretime(engine.keys.board(WEEK).key)).toBe(WEEK.expiry);
    expect((await engine.events()).at(-1)).toMatchObject({ player: `player-${n}`, rank: "" });
  });

  it("has no rank for anybody, while others still have theirs", async () => {
    const { n } = await fillUp();
    const { places, weeks } = await engine.submit([{ ...player(2), points: 999 }, player(50)], WEEK);
    expect(places.map(({ rank }) => rank)).toEqual(["", ""]);
    expect(weeks).toEqual([{ lease: "" }]);
    expect(places[1]?.countryRank).toBe(String(Math.floor(n / 50)));
    const replay = await engine.submit([{ ...player(2), submission: "", flags: "" }], WEEK);
    expect(replay.places[0]).toMatchObject({ rank: "" });
    expect(await server.redis.get(engine.keys.board(WEEK).key)).toBe("full");
  });

  it("says so to every reader", async () => {
    await fillUp();
    const week = engine.keys.board(WEEK);
    expect((await engine.top(week)).status).toBe("full");
    expect((await engine.top(week, 10, entry(5))).status).toBe("full");
    expect((await engine.around(week, "player-1", 5)).status).toBe("full");
    expect((await engine.around(week, "nobody", 5)).status).toBe("full");
    expect((await engine.push(week)).status).toBe("full");
    expect(await engine.count(week, WEEK)).toEqual(["full"]);
  });

  it("is left alone by fills and corrections of it, which do the rest of their work", async () => {
    await fillUp();
    const [week, allTime] = [engine.keys.board(WEEK), engine.keys.allTime];
    await server.redis.del(allTime.key);
    const fills = [filling(week, "pt", [entry(1)], ["player-2"]), filling(allTime, "t", [entry(7)])];
    const keys = fills.flatMap((one) => one.keys);
    const filled = await engine.call("fill", keys, [nowUs(), ...fills.flatMap((one) => one.args)]);
    expect(filled).toEqual(["ok", "1", "", ""]);
    expect((await engine.correct(week, "player-1", { points: 5, at: WEEK.start })).status).toBe("ok");
    expect((await engine.correct(week, "player-1", undefined, "forget")).status).toBe("ok");
    expect((await engine.events()).map((event) => event["player"])).not.toContain("player-1");
    expect(await server.redis.get(week.key)).toBe("full");
  });

  it("is closed by a fill that finds no room, and opened by one that empties it first", async () => {
    const week = engine.keys.board(WEEK);
    await engine.fill(week, numbers(1, 100).map(entry));
    for (const from of numbers(1, 12)) await engine.fill(week, numbers(from * 100, from * 100 + 100).map(entry));
    expect((await engine.top(week)).status).toBe("full");
    const again = filling(week, "dp", numbers(1, 6).map(entry));
    expect((await engine.call("fill", again.keys, [nowUs(), ...again.args]))[0]).toBe("ok");
    expect((await engine.top(week)).players).toEqual(
      numbers(1, 6)
        .toReversed()
        .map((n) => `player-${n}`),
    );
  });

  it("takes no feed along: one that is full loses its older half, and goes on", async () => {
    const { allTime } = engine.keys;
    const events = numbers(0, 600).map((n) => `event-${n}`);
    for (const [n, submission] of events.entries()) {
      const { status } = await engine.submit([{ player: "ann", points: n, submission }], WEEK);
      expect(status).toBe("ranked");
    }
    const kept = (await engine.events()).map((event) => event["submission"] ?? "");
    expect(kept.length).toBeGreaterThan(50);
    expect(kept).toEqual(events.slice(-kept.length));
    expect((await engine.top(allTime)).players).toEqual(["ann"]);
  });

  it("is not what any other refusal makes of it: the call fails, and the key stays what it is", async () => {
    const week = engine.keys.board(WEEK);
    await server.redis.set(week.key, "somebody's");
    await expect(engine.submit([player(1)], WEEK)).rejects.toThrow("WRONGTYPE");
    expect(await server.redis.get(week.key)).toBe("somebody's");
  });
});
