import { describe, expect, it } from "vitest";
import { nowUs, type Engine, type Item } from "./engine.ts";
import { ALL_TIME_FIRST, ALL_TIME_LAST, NEXT_WEEK, WEEK } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const BAD_POINTS = "ERR points must be a non-negative integer";
const OUTSIDE_WEEK = "ERR timestamp outside this week";
const OUT_OF_RANGE = "ERR timestamp out of range";
const BAD_WEEK = "ERR week start and expiry must be unix times";

const NO_INTEGERS = [
  "nan",
  "inf",
  "-inf",
  "0x10",
  "1e3",
  " 12 ",
  "1 2",
  "12 ",
  "-1",
  "+1",
  "1.5",
  "",
  "١",
  "12\n",
  "1_0",
  "null",
];
const TOO_LARGE = ["8589934592", "9007199254740993", "18446744073709551616", "99999999999999999999999"];
const OUTSIDE = [String(WEEK.start - 1), String(NEXT_WEEK.start), "0", "99999999999999999999"];

const server = useRedis();

/** Every key of the game with its value and expiry. */
async function contents(engine: Engine): Promise<unknown> {
  const keys = (await server.redis.keys(`${engine.keys.prefix}:*`)).toSorted();
  return Promise.all(
    keys.map(async (key) => [key, await server.redis.dumpBuffer(key), await server.redis.pexpiretime(key)]),
  );
}

async function engineWithData() {
  const engine = await server.openGame();
  await engine.submit([{ player: "ann", points: 100, country: "DE" }], WEEK);
  return engine;
}

/** Runs a call that must fail with exactly this text and must have changed nothing. */
async function refused(engine: Engine, run: () => Promise<unknown>, message: string) {
  const before = await contents(engine);
  await expect(run()).rejects.toMatchObject({ message });
  expect(await contents(engine)).toEqual(before);
}

/** A valid submit of two new players with one argument of the second one replaced. */
function submitWith(engine: Engine, replaced: number, value: string) {
  const items: Item[] = [
    { player: "bob", points: 7, country: "FR" },
    { player: "cid", points: 8, country: "DE", left: ["FR"] },
  ];
  const { keys, args } = engine.submitCall(items, WEEK, nowUs());
  return engine.call("submit", keys, args.with(6 + 12 + replaced, value));
}

describe("submit refuses, and changes nothing,", () => {
  const points: [string, number][] = [
    ["points", 2],
    ["the week's best", 5],
    ["the all-time best", 9],
  ];
  it.each(points)("%s that are no integer in range", async (_name, position) => {
    const engine = await engineWithData();
    for (const value of [...NO_INTEGERS, ...TOO_LARGE]) {
      await refused(engine, () => submitWith(engine, position, value), BAD_POINTS);
    }
  });

  it("a week's best of another week", async () => {
    const engine = await engineWithData();
    for (const value of [...NO_INTEGERS, ...OUTSIDE]) {
      await refused(engine, () => submitWith(engine, 6, value), OUTSIDE_WEEK);
    }
  });

  it("a time of submission in another week", async () => {
    const engine = await engineWithData();
    const edges = [WEEK.start * 1000 - 1, NEXT_WEEK.start * 1000].map(String);
    for (const value of [...NO_INTEGERS, ...edges]) {
      await refused(engine, () => submitWith(engine, 3, value), OUTSIDE_WEEK);
    }
  });

  it("an all-time best outside the thirty bits of its time", async () => {
    const engine = await engineWithData();
    for (const value of [...NO_INTEGERS, String(ALL_TIME_FIRST - 1), String(ALL_TIME_LAST + 1)]) {
      await refused(engine, () => submitWith(engine, 10, value), OUT_OF_RANGE);
    }
  });

  it("a week, a country board or flags that the call does not have", async () => {
    const engine = await engineWithData();
    for (const value of ["0", "2", "x", "", "0x1"])
      await refused(engine, () => submitWith(engine, 4, value), "ERR unknown week");
    for (const value of ["1", "6", "9", "x", "7,8", "-7"]) {
      await refused(engine, () => submitWith(engine, 7, value), "ERR unknown country board");
    }
    for (const value of ["6", "7,9", "7;8", "x"]) {
      await refused(engine, () => submitWith(engine, 8, value), "ERR unknown country board");
    }
    for (const value of ["W", "wx", "w a", "wan"])
      await refused(engine, () => submitWith(engine, 11, value), "ERR unknown flag");
  });

  it("a wrong number of keys or arguments", async () => {
    const engine = await engineWithData();
    const { keys, args } = engine.submitCall([{ player: "bob", points: 7 }], WEEK, nowUs());
    const submit = (k: readonly string[], a: readonly (string | number)[]) => () => engine.call("submit", k, a);
    const wrongArgs = "ERR wrong number of arguments for submit";
    await refused(engine, submit(keys.slice(0, 5), args), "ERR wrong number of keys for submit");
    await refused(engine, submit(keys, args.slice(0, -1)), wrongArgs);
    await refused(engine, submit(keys, [...args, "x"]), wrongArgs);
    await refused(engine, submit(keys, args.slice(0, 6)), wrongArgs);
    await refused(engine, submit(keys, args.with(2, 2)), "ERR wrong number of keys for submit");
    for (const at of [0, 1, 2]) {
      await refused(engine, submit(keys, args.with(at, "1e3")), "ERR now, cap and weeks must be integers");
    }
    for (const value of [...NO_INTEGERS, String(WEEK.start)]) {
      await refused(engine, submit(keys, args.with(5, value)), BAD_WEEK);
    }
    await refused(engine, submit(keys, args.with(4, "nan")), BAD_WEEK);
  });
});

describe("correct refuses, and changes nothing,", () => {
  it("values that are wrong on any board", async () => {
    const engine = await engineWithData();
    const week = engine.keys.board(WEEK);
    const { allTime } = engine.keys;
    const keys = [
      engine.keys.activity,
      week.key,
      week.moderated,
      week.lease,
      allTime.key,
      allTime.moderated,
      allTime.moderated,
    ];
    const correct = (points: string | number, at: string | number) =>
      engine.call("correct", keys, [
        "ann",
        nowUs(),
        "forget",
        week.start,
        week.expiry,
        5,
        week.start,
        "top",
        "",
        "",
        points,
        at,
        "top",
      ]);
    for (const value of [...NO_INTEGERS.filter((text) => text !== ""), ...TOO_LARGE]) {
      await refused(engine, () => correct(value, WEEK.start), BAD_POINTS);
    }
    for (const value of NO_INTEGERS) await refused(engine, () => correct(5, value), OUT_OF_RANGE);
    await refused(engine, () => engine.call("correct", keys, ["ann", nowUs(), ""]), "ERR wrong arguments for correct");
    await refused(engine, () => engine.call("correct", keys, ["ann", "nan", ""]), "ERR wrong arguments for correct");
    await refused(engine, () => engine.call("correct", [], []), "ERR wrong arguments for correct");
  });
});

describe("reads, feed and trim refuse", () => {
  it("numbers that are no integers and calls that lack something", async () => {
    const engine = await engineWithData();
    const { key, moderated, lease } = engine.keys.board(WEEK);
    const read = [engine.keys.activity, key, moderated];
    const start = WEEK.start;
    const cases: [string, readonly string[], readonly (string | number)[], string][] = [
      ["top", read, ["nan", 10], "ERR week start must be a unix time"],
      ["top", read, [start], "ERR wrong arguments for a read"],
      ["top", read.slice(1), [start, 10], "ERR wrong arguments for a read"],
      ["top", read, [start, "1e3"], "ERR number of entries must be a positive integer"],
      ["top", read, [start, 0], "ERR number of entries must be a positive integer"],
      ["top", read, [start, 10, "nan", start, "ann"], BAD_POINTS],
      ["top", read, [start, 10, 5, start - 1, "ann"], OUTSIDE_WEEK],
      ["top", read, [start, 10, 5, start], "ERR a cursor is points, second and player"],
      ["around", read, [start, "ann"], "ERR wrong arguments for a read"],
      ["around", read, [start, "ann", "-1"], "ERR k must be an integer"],
      ["count", [engine.keys.activity], [], "ERR wrong arguments for a read"],
      ["count", read, [WEEK.label, WEEK.expiry], "ERR wrong arguments for a read"],
      ["count", [...read, lease], [WEEK.label], "ERR wrong arguments for a read"],
      ["count", [...read, lease], [WEEK.label, 0], "ERR wrong arguments for a read"],
      ["push", read, [start], "ERR wrong arguments for a read"],
      ["push", [...read, lease], ["x"], "ERR week start must be a unix time"],
      ["feed", [engine.keys.activity], ["nan"], "ERR wrong arguments for feed"],
      ["feed", [engine.keys.activity], [1000, "s", "ann"], "ERR wrong arguments for feed"],
      ["feed", [], [1000], "ERR wrong arguments for feed"],
      ["trim", [engine.keys.activity], ["badges", "0", "ten"], "ERR feed length must be a positive integer"],
      ["trim", [engine.keys.activity], ["badges", "0", 0], "ERR feed length must be a positive integer"],
    ];
    for (const [verb, keys, args, message] of cases) {
      await refused(engine, () => engine.call(verb, keys, args), message);
    }
  });
});
