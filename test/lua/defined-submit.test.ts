import { describe, expect, it } from "vitest";
import { definedBoard, definedCall, partOf, submitDefined } from "./defined.ts";
import { WEEK } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();
const top = async (key: string) => server.redis.zrevrange(key, 0, -1);

describe("entries of boards that games define", () => {
  it("are written, placed and told beside the default boards", async () => {
    const engine = await server.openGame();
    const laps = definedBoard(engine, "laps");
    const entry = { board: laps, strength: 5, tick: 1 };
    const first = await submitDefined(engine, [{ ...entry, player: "ann" }], [{ player: "ann", points: 9 }]);
    expect(first).toEqual({
      status: "ranked",
      damaged: "",
      items: ["", "1", "1", "", "1"],
      placed: [{ rank: "1", lease: "1" }],
    });
    const second = await submitDefined(engine, [{ ...entry, tick: 2, player: "bob" }]);
    expect(second).toMatchObject({ status: "ranked", items: [], placed: [{ rank: "2", lease: "" }] });
    expect(await top(laps.key)).toEqual(["ann", "bob"]);
    expect(await server.redis.expiretime(laps.key)).toBe(WEEK.expiry);
    expect(await engine.events()).toHaveLength(1);
  });

  it("say missing where the game is, and are written all the same", async () => {
    const engine = await server.openGame();
    await server.redis.del(engine.keys.activity);
    const laps = definedBoard(engine, "laps");
    const { status } = await submitDefined(engine, [{ board: laps, player: "ann", strength: 5, tick: 1 }]);
    expect(status).toBe("missing");
    expect(await top(laps.key)).toEqual(["ann"]);
  });

  it("rank after the whole call, have no rank unless it is asked for, and leave parts by x", async () => {
    const engine = await server.openGame();
    const mood = definedBoard(engine, "mood", { kind: "n", live: false });
    const [red, blue] = [partOf(mood, "crew", "red"), partOf(mood, "crew", "blue")];
    await submitDefined(
      engine,
      [mood, red].map((board) => ({ board, player: "ann", strength: 5, tick: 1 })),
    );
    const { placed } = await submitDefined(engine, [
      { board: mood, player: "ann", strength: 3, tick: 2 },
      { board: red, player: "ann", mode: "x" },
      { board: blue, player: "ann", strength: 3, tick: 2, flags: "w" },
      { board: mood, player: "bob", strength: 4, tick: 2 },
    ]);
    expect(placed.map(({ rank }) => rank)).toEqual(["2", "", "", "1"]);
    expect(await top(red.key)).toEqual([]);
    expect(await top(blue.key)).toEqual(["ann"]);
    expect(await server.redis.get(mood.changes)).toBe(String(3 + 3));
  });

  it("announce who comes into a live top 10, and give the lease for one who leaves it", async () => {
    const engine = await server.openGame();
    const mood = definedBoard(engine, "mood", { kind: "n" });
    const others = Array.from({ length: 11 }, (_, i) => ({ board: mood, player: `p${i}`, strength: 50 - i, tick: 1 }));
    expect((await submitDefined(engine, others)).placed.map(({ lease }) => lease)).toEqual([
      "1",
      ...others.slice(1).map(() => ""),
    ]);
    const changed = async (player: string, strength: number, tick: number) => {
      await server.redis.del(mood.lease);
      return (await submitDefined(engine, [{ board: mood, player, strength, tick }])).placed;
    };
    expect(await changed("p3", 1, 2)).toEqual([{ rank: "11", lease: "1" }]);
    expect(await changed("p3", 2, 3)).toEqual([{ rank: "11", lease: "" }]);
    expect(await changed("p3", 1, 4)).toEqual([{ rank: "11", lease: "" }]);
    expect(await changed("p3", 90, 5)).toEqual([{ rank: "1", lease: "1" }]);
    expect(await changed("p3", 99, 4)).toEqual([{ rank: "1", lease: "" }]);
  });

  it("that are proven and not there make the board damaged, and are written again", async () => {
    for (const kind of ["r", "n"] as const) {
      const engine = await server.openGame();
      const board = definedBoard(engine, "laps", { kind });
      const proven = { board, player: "ann", strength: 5, tick: 1, flags: "p" };
      const healed = await submitDefined(engine, [proven]);
      expect(healed).toMatchObject({ damaged: "1", placed: [{ rank: "1", lease: "1" }] });
      expect(await submitDefined(engine, [proven])).toMatchObject({ damaged: "", placed: [{ rank: "1", lease: "" }] });
      expect(await server.redis.expiretime(board.key)).toBe(WEEK.expiry);
    }
  });

  it("on a part or a board without a live top 10 have expiries also where no rank is looked up", async () => {
    for (const kind of ["r", "n"] as const) {
      const engine = await server.openGame();
      const board = definedBoard(engine, "laps", { kind, live: false });
      await submitDefined(engine, [{ board, player: "ann", strength: 5, tick: 1, flags: "w" }]);
      expect(await server.redis.expiretime(board.key)).toBe(WEEK.expiry);
      if (kind === "n") expect(await server.redis.expiretime(board.changes)).toBe(WEEK.expiry);
      const endless = definedBoard(engine, "ever", { kind, expiry: "" });
      await submitDefined(engine, [{ board: endless, player: "ann", strength: 5, tick: 1 }]);
      expect(await server.redis.expiretime(endless.key)).toBe(-1);
    }
  });

  it("do not bring back a lost sum of changes as one of a part of the entries", async () => {
    const engine = await server.openGame();
    const mood = definedBoard(engine, "mood", { kind: "n" });
    const write = (player: string, tick: number) => submitDefined(engine, [{ board: mood, player, strength: 5, tick }]);
    await write("ann", 1);
    await write("bob", 1);
    const losses = [
      () => server.redis.del(mood.changes),
      () => server.redis.set(mood.changes, "many"),
      () => server.redis.multi().del(mood.changes).lpush(mood.changes, "x").exec(),
    ];
    for (const [i, lose] of losses.entries()) {
      for (const player of ["ann", `new-${i}`]) {
        await lose();
        await write(player, 10 + i);
        expect(await server.redis.exists(mood.changes)).toBe(0);
      }
    }
  });

  it("find a full board closed: no rank, and nothing written", async () => {
    const engine = await server.openGame();
    for (const kind of ["r", "n"] as const) {
      for (const live of [true, false]) {
        const board = definedBoard(engine, `full-${kind}-${live}`, { kind, live });
        await server.redis.set(board.key, "full");
        for (const flags of ["wp", "p", "w"]) {
          const { placed, damaged } = await submitDefined(engine, [
            { board, player: "ann", strength: 5, tick: 1, flags },
          ]);
          expect({ placed, damaged }).toEqual({ placed: [{ rank: "", lease: "" }], damaged: "" });
        }
        expect(await server.redis.get(board.key)).toBe("full");
        expect(await server.redis.exists(board.changes)).toBe(0);
      }
    }
  });
});

describe("submit with entries refuses, and changes nothing,", () => {
  it.each([
    ["a board that it does not have", 0, ["0", "3", "99", "x", ""], "ERR unknown board"],
    [
      "a score that is none, or spelled in another way",
      2,
      ["", "nan", "inf", "0x10", "12", "1e5", "1.5", "1.5e+200", "1.5e-200", "0.0e+0", " 1.5e+1", "1.5e+1x"],
      "ERR score must be a packed score",
    ],
    ["a mode", 3, ["", "w", "rn"], "ERR unknown mode"],
    ["bits of the time", 4, ["", "0", "31", "3e1"], "ERR unknown time bits"],
    ["an expiry", 5, ["0", "-1", "1e9", "x"], "ERR expiry must be a unix time"],
    ["flags", 6, ["pw", "x", "W"], "ERR unknown flag"],
    ["a lease", 7, ["1", "99", "x", ""], "ERR unknown lease or changes"],
    ["changes", 8, ["1", "99", "x", ""], "ERR unknown lease or changes"],
  ] as const)("%s", async (_, place, values, message) => {
    const engine = await server.openGame();
    const [laps, mood] = [definedBoard(engine, "laps"), definedBoard(engine, "mood", { kind: "n" })];
    const entries = [laps, mood].map((board) => ({ board, player: "ann", strength: 5, tick: 1 }));
    const { keys, args } = definedCall(engine, entries, [{ player: "ann", points: 9 }]);
    for (const value of values) {
      const wrong = args.with(args.length - 10 + place, value);
      await expect(engine.call("submit", keys, wrong, 3)).rejects.toMatchObject({ message });
    }
    expect(await server.redis.keys(`${engine.keys.prefix}:*`)).toHaveLength(2);
  });

  it("changes of a board that is not given by newer, and what does not belong to taking off", async () => {
    const engine = await server.openGame();
    const laps = definedBoard(engine, "laps");
    const { keys, args } = definedCall(engine, [{ board: laps, player: "ann", strength: 5, tick: 1 }]);
    const score = args.length - 8;
    const [mode, flags, changes, last] = [score + 1, score + 4, score + 6, score + 7] as const;
    const refused = (wrong: readonly (string | number)[], message: unknown) =>
      expect(engine.call("submit", keys, wrong, 3)).rejects.toMatchObject({ message });
    await refused(args.with(changes, 4), "ERR unknown lease or changes");
    await refused(args.with(mode, "x"), "ERR score must be a packed score");
    await refused(args.with(mode, "x").with(score, ""), "ERR unknown flag");
    await refused(args.with(mode, "x").with(score, "").with(flags, "w"), "ERR unknown lease or changes");
    for (const count of [0, 2, "x", ""])
      await refused(args.with(last, count), expect.stringContaining("ERR wrong number of"));
    expect(await server.redis.exists(laps.key)).toBe(0);
  });
});
