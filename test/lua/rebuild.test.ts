import { describe, expect, it } from "vitest";
import { engineOf, FEED_CAP, nowUs, type Engine, type Entry } from "./engine.ts";
import { filling, type Filling } from "./filling.ts";
import { WEEK } from "./keys.ts";
import { startRedis } from "./redis-server.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

const LEASE_MS = 60_000;
const entry = (player: string, points: number): Entry => ({ player, points, at: WEEK.start });

function rebuildOf(engine: Engine) {
  const [lease, state] = engine.keys.rebuild;
  const all = (boards: readonly Filling[]) => ({
    keys: boards.flatMap((b) => b.keys),
    args: boards.flatMap((b) => b.args),
  });
  return {
    lease,
    state,
    begin: (token: string) => engine.call("begin", [engine.keys.activity, lease, state], [token, LEASE_MS]),
    page(token: string, run: string, position: string, ...boards: Filling[]) {
      const { keys, args } = all(boards);
      return engine.call("page", [lease, state, ...keys], [token, run, LEASE_MS, position, ...args]);
    },
    finish: (token: string, run: string) =>
      engine.call(
        "finish",
        [engine.keys.activity, lease, state, engine.keys.moderated],
        [token, run, 1, FEED_CAP, "badges", "", "s-1", "ann", 5, 5, "", WEEK.label, WEEK.start * 1000],
      ),
    fill(...boards: Filling[]) {
      const { keys, args } = all(boards);
      return engine.call("fill", keys, [1, ...args]);
    },
  };
}

describe("a rebuild", () => {
  it("fills the boards page by page and then opens the game", async () => {
    const engine = engineOf(server.redis);
    const { begin, page, finish } = rebuildOf(engine);
    const week = engine.keys.board(WEEK);
    await engine.submit([{ player: "stale", points: 99 }], WEEK);
    expect(await begin("t-1")).toEqual(["begun", "t-1", ""]);
    expect(await page("t-1", "t-1", "page 1", filling(week, "dp", [entry("ann", 5)]))).toEqual(["ok", "1"]);
    const more = [filling(week, "p", [entry("bob", 6)]), filling(engine.keys.allTime, "", [entry("bob", 6)])];
    expect(await page("t-1", "t-1", "page 2", ...more)).toEqual(["ok", "2"]);
    expect((await engine.top(week)).status).toBe("missing");
    expect(await finish("t-1", "t-1")).toEqual(["opened"]);
    expect((await engine.top(week)).players).toEqual(["bob", "ann"]);
    expect((await engine.top(engine.keys.allTime)).players).toContain("bob");
    expect((await engine.events()).map((event) => event["submission"])).toEqual(["s-1"]);
    expect(await server.redis.expiretime(week.key)).toBe(WEEK.expiry);
    expect(await server.redis.expiretime(week.players ?? "")).toBe(WEEK.expiry);
    expect(await begin("t-2")).toEqual(["ready"]);
    expect(await finish("t-1", "t-1")).toEqual(["lost"]);
  });

  it("has one holder, and another goes on where the first one stopped", async () => {
    const engine = engineOf(server.redis);
    const { begin, page, lease } = rebuildOf(engine);
    await begin("t-1");
    expect(await begin("t-2")).toEqual(["busy"]);
    await page("t-1", "t-1", "half", filling(engine.keys.board(WEEK), "dp", [entry("ann", 5)]));
    await server.redis.del(lease);
    expect(await begin("t-2")).toEqual(["begun", "t-1", "half"]);
    expect(await page("t-1", "t-1", "x", filling(engine.keys.board(WEEK), "p", [entry("bob", 5)]))).toEqual(["lost"]);
    expect(await page("t-2", "t-1", "x", filling(engine.keys.board(WEEK), "p", [entry("bob", 5)]))).toEqual([
      "ok",
      "1",
    ]);
  });

  it("ends when Redis loses everything in the middle of it: nothing of it counts", async () => {
    const lost = await startRedis();
    try {
      const engine = engineOf(lost.redis);
      const { begin, page, finish } = rebuildOf(engine);
      await begin("t-1");
      await page("t-1", "t-1", "half", filling(engine.keys.board(WEEK), "dp", [entry("ann", 5)]));
      await lost.redis.flushall();
      expect(await page("t-1", "t-1", "x", filling(engine.keys.board(WEEK), "p", [entry("bob", 5)]))).toEqual(["lost"]);
      expect(await finish("t-1", "t-1")).toEqual(["lost"]);
      expect(await lost.redis.dbsize()).toBe(0);
    } finally {
      await lost.stop();
    }
  });
});

describe("fill", () => {
  async function withTwo() {
    const engine = await server.openGame();
    await engine.submit(
      [
        { player: "ann", points: 5 },
        { player: "bob", points: 4 },
      ],
      WEEK,
    );
    await engine.push(engine.keys.board(WEEK));
    return { engine, week: engine.keys.board(WEEK), ...rebuildOf(engine) };
  }

  it("raises and takes off what differs, and then announces a changed top 10", async () => {
    const { engine, week, fill } = await withTwo();
    const before = Number((await engine.top(week)).version);
    expect(await fill(filling(week, "pt", [entry("ann", 3), entry("cid", 9)], ["bob", "nobody"]))).toEqual([
      "ok",
      "2",
      "1",
    ]);
    const page = await engine.top(week);
    expect(page.entries.map(({ player, points }) => [player, points])).toEqual([
      ["cid", 9],
      ["ann", 5],
    ]);
    expect(Number(page.version)).toBeGreaterThan(before);
  });

  it("announces nothing when the board was right", async () => {
    const { engine, week, fill } = await withTwo();
    const before = await engine.top(week);
    expect(await fill(filling(week, "pt", [entry("ann", 5)], ["nobody"]))).toEqual(["ok", "0", ""]);
    expect(await engine.top(week)).toEqual(before);
  });

  it("refuses wrong values of any board before it writes one", async () => {
    const { engine, week, fill } = await withTwo();
    const before = await engine.raw(week);
    const good = filling(week, "pt", [entry("cid", 9)]);
    const bad: [Filling, string][] = [
      [{ ...filling(week, "", []), args: [WEEK.start, WEEK.expiry, "", 1, 0, "ann", 1] }, "ERR score must be a number"],
      [filling(week, "x", []), "ERR wrong arguments for a fill"],
      [{ ...filling(week, "", []), args: [WEEK.start, "", "", 0, 0] }, "ERR week start and expiry must be unix times"],
      [{ ...filling(week, "", []), args: ["", WEEK.expiry, "", 0, 0] }, "ERR week start and expiry must be unix times"],
      [
        { ...filling(week, "", []), args: [WEEK.start, WEEK.expiry, "", 2, 0, 1, "ann"] },
        "ERR wrong arguments for a fill",
      ],
      [{ ...filling(week, "", []), keys: [] }, "ERR wrong number of keys for a fill"],
    ];
    for (const [board, message] of bad) await expect(fill(good, board)).rejects.toMatchObject({ message });
    expect(await engine.raw(week)).toEqual(before);
  });
});

it("begin, page and finish refuse what they cannot use", async () => {
  const engine = engineOf(server.redis);
  const { lease, state } = rebuildOf(engine);
  const run = [engine.keys.activity, lease, state];
  const calls: [string, readonly string[], readonly (string | number)[]][] = [
    ["begin", run, ["", LEASE_MS]],
    ["begin", run, ["t", "0"]],
    ["begin", run.slice(1), ["t", LEASE_MS]],
    ["page", run.slice(1), ["t", "t", "1e3", "x"]],
    ["page", run.slice(1), ["t", "t", LEASE_MS]],
    ["finish", run, ["t", "t", "nan", FEED_CAP, "badges"]],
    ["finish", run, ["t", "t", nowUs(), FEED_CAP]],
    ["finish", run, ["t", "t", nowUs(), FEED_CAP, "badges", "half an event"]],
  ];
  for (const [verb, keys, args] of calls) {
    await expect(engine.call(verb, keys, args)).rejects.toMatchObject({ message: `ERR wrong arguments for ${verb}` });
  }
  const withVersion = [...run, engine.keys.moderated];
  for (const expiry of ["0", "nan"]) {
    const finish = engine.call("finish", withVersion, ["t", "t", nowUs(), FEED_CAP, "badges", expiry]);
    await expect(finish).rejects.toMatchObject({ message: "ERR expiry must be a unix time" });
  }
  expect(await server.redis.keys(`${engine.keys.prefix}:*`)).toEqual([]);
});
