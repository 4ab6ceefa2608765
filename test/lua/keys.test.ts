import { describe, expect, it } from "vitest";
import type { Redis } from "ioredis";
import { librarySource } from "../../lua/loader.ts";
import { engineOf, nowUs, type Engine } from "./engine.ts";
import { definedBoard, definedCall, partOf, scoreOf } from "./defined.ts";
import { NEXT_WEEK, WEEK } from "./keys.ts";
import { LIBRARY } from "./redis-server.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

type Call = { verb: string; version?: number; keys: readonly string[]; args: readonly (string | number)[] };

const nameOf = ({ verb, version = 2 }: Call) => `lb_${verb}_v${version}`;

/** Every function once, by a call that takes all of its branches that touch keys. */
function callsOf(engine: Engine): Call[] {
  const { activity, allTime } = engine.keys;
  const [week, country] = [engine.keys.board(WEEK), engine.keys.country(WEEK, "DE")];
  const late = nowUs() - 60_000_000;
  const submit = engine.submitCall(
    [
      { player: "ann", points: 9, country: "DE", left: ["FR"] },
      { player: "bob", points: 8, country: "DE", flags: "" },
      { player: "ann", points: 9, week: NEXT_WEEK, country: "DE", submission: "" },
    ],
    WEEK,
    late,
  );
  const read = [activity, week.key, week.moderated];
  const event = ["s-1", "ann", 9, 9, "", WEEK.label, WEEK.start * 1000];
  const corrected = [
    ["", "", 5, WEEK.start, "top"],
    [WEEK.start, WEEK.expiry, 5, WEEK.start, ""],
    [WEEK.start, WEEK.expiry, 5, WEEK.start, "top"],
  ];
  const run = engine.keys.rebuild;
  const counted = engine.keys.counted(WEEK);
  const board = [week.key, week.players ?? ""];
  const fill = [WEEK.start, WEEK.expiry, "p", 1, 1, 3, "ann", "bob"];
  const boards = [allTime, country, week].flatMap(({ key, moderated, lease }) => [key, moderated, lease]);
  return [
    { verb: "begin", keys: [activity, ...run], args: ["token", 60_000] },
    { verb: "page", keys: [...run, ...board], args: ["token", "token", 60_000, "1", ...fill.with(2, "dp")] },
    {
      verb: "finish",
      keys: [activity, ...run, week.moderated],
      args: ["token", "token", 1, 1000, "badges", "", ...event],
    },
    { verb: "fill", keys: [...board, week.moderated, week.lease], args: [1, ...fill.with(2, "pt")] },
    { verb: "feed", keys: [activity], args: [1000, ...event.with(0, "s-2")] },
    { verb: "submit", ...submit },
    {
      verb: "top",
      keys: [activity, country.key, country.moderated, week.key],
      args: [WEEK.start, 10, 9, WEEK.start, "zed"],
    },
    { verb: "around", keys: read, args: [WEEK.start, "ann", 2] },
    { verb: "count", keys: [activity, week.key, week.players ?? "", counted], args: [WEEK.label, WEEK.expiry] },
    { verb: "push", keys: [...read, week.lease], args: [WEEK.start] },
    { verb: "trim", keys: [activity], args: ["badges", "0", 10] },
    { verb: "correct", keys: [activity, ...boards], args: ["ann", nowUs(), "forget", ...corrected.flat()] },
    { verb: "idle", keys: ["lb:active"], args: [engine.game, 1] },
    {
      verb: "inspect",
      keys: [activity, week.moderated, week.key, week.lease, week.players ?? "", counted, country.key],
      args: [20, "u", 2, "ann", "bob", "", 1, "ann"],
    },
    { verb: "condemn", keys: [activity, ...run, week.lease, counted, week.moderated], args: [] },
    { verb: "release", keys: [], args: [] },
    ...definedCalls(engine),
  ];
}

/** The same of the functions for boards that games define. */
function definedCalls(engine: Engine): Call[] {
  const [raised, newer] = [definedBoard(engine, "laps"), definedBoard(engine, "mood", { kind: "n" })];
  const part = partOf(newer, "crew", "red");
  const entries = [raised, newer, part].map((board) => ({ board, player: "ann", strength: 5, tick: 9 }));
  const worse = [newer, part].map((board) => ({ board, player: "ann", strength: 4, tick: 10, flags: "" }));
  const submit = definedCall(engine, [...entries, ...worse, { board: part, player: "ann", mode: "x" }]);
  const read = [engine.keys.activity, part.key, engine.keys.moderated, newer.key, newer.changes];
  const raisedRead = [engine.keys.activity, raised.key, engine.keys.moderated, raised.key, raised.key];
  const score = scoreOf(newer, { strength: 4, tick: 3 });
  const set = [engine.keys.moderated, newer.key, newer.lease, newer.changes];
  const calls: Omit<Call, "version">[] = [
    { verb: "submit", keys: submit.keys, args: submit.args },
    { verb: "range", keys: read, args: ["n", 30, "top", 10, score, "bob"] },
    { verb: "push", keys: [...raisedRead, raised.lease], args: ["r", 30] },
    { verb: "among", keys: read, args: ["1", "ann"] },
    { verb: "place", keys: read, args: [score, 30] },
    { verb: "places", keys: read, args: [1] },
    { verb: "set", keys: set, args: ["ann", nowUs(), "", 30, "n", "", "top"] },
  ];
  return calls.map((call) => ({ ...call, version: 3 }));
}

const registered = async (redis: Redis) =>
  JSON.stringify(await redis.call("FUNCTION", "LIST"))
    .match(/lb_[a-z]+_v\d+/g)
    ?.toSorted() ?? [];

describe("declared keys", () => {
  it("are all that a function touches: a user who may use exactly those runs every one", async () => {
    const engine = engineOf(server.redis);
    const calls = callsOf(engine);
    expect(calls.map(nameOf).toSorted()).toEqual(await registered(server.redis));
    for (const call of calls) {
      const { keys, args } = call;
      const rules = ["reset", "on", ">secret", "+@all", "resetchannels", `&${engine.keys.prefix}:board:*:top10`];
      await server.redis.call("ACL", "SETUSER", "limited", ...rules, ...keys.map((key) => `~${key}`));
      const limited = server.connect({ name: "limited", password: "secret" });
      try {
        await expect(limited.call("FCALL", nameOf(call), keys.length, ...keys, ...args)).resolves.toBeDefined();
      } finally {
        limited.disconnect();
      }
    }
  });

  it("are needed: the same user without the last key of a submit is refused", async () => {
    const engine = engineOf(server.redis);
    const submit = callsOf(engine).find(({ verb }) => verb === "submit");
    const keys = submit?.keys.slice(0, -1).map((key) => `~${key}`) ?? [];
    await server.redis.call("ACL", "SETUSER", "less", "on", ">secret", "+@all", "allchannels", ...keys);
    const less = server.connect({ name: "less", password: "secret" });
    await expect(
      less.call("FCALL", "lb_submit_v2", submit?.keys.length ?? 0, ...(submit?.keys ?? []), ...(submit?.args ?? [])),
    ).rejects.toThrow("NOPERM");
  });

  it("of one call share the game's hash tag, so that a cluster serves it from one slot", () => {
    const engine = engineOf(server.redis);
    const ofGame = callsOf(engine).filter(({ verb }) => verb !== "idle");
    const tags = ofGame.flatMap(({ keys }) => keys.map((key) => /\{(.+?)\}/.exec(key)?.[1]));
    expect(new Set(tags)).toEqual(new Set([engine.game]));
  });
});

describe("functions", () => {
  it("that only read are declared so", async () => {
    const engine = await server.openGame();
    const read = callsOf(engine).filter(({ verb }) =>
      ["top", "around", "release", "range", "among", "place", "places"].includes(verb),
    );
    for (const call of read) {
      const { keys, args } = call;
      await expect(server.redis.call("FCALL_RO", nameOf(call), keys.length, ...keys, ...args)).resolves.toBeDefined();
    }
  });

  it("of two contract versions live side by side on the same boards", async () => {
    const next = LIBRARY.replace("name=leaderboard_v2", "name=leaderboard_v9").replace(
      "'_v' .. version",
      "'_v9' .. version",
    );
    await server.redis.call("FUNCTION", "LOAD", librarySource(next, "redis"));
    const one = engineOf(server.redis);
    const two = engineOf(server.redis, { game: one.game, version: 92 });
    await one.open();
    await one.submit([{ player: "ann", points: 5 }], WEEK);
    await two.submit([{ player: "bob", points: 6 }], WEEK);
    expect((await one.top(one.keys.board(WEEK))).players).toEqual(["bob", "ann"]);
    expect((await two.top(two.keys.board(WEEK))).players).toEqual(["bob", "ann"]);
    await server.redis.call("FUNCTION", "DELETE", "leaderboard_v9");
    expect((await one.submit([{ player: "cid", points: 7 }], WEEK)).places[0]?.rank).toBe("1");
  });
});
