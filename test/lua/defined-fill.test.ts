import { describe, expect, it } from "vitest";
import { isNewer } from "../../functions/contract/live.ts";
import { definedBoard, fillingDefined, partOf, readsOf, setDefined, submitDefined, type Place } from "./defined.ts";
import type { Engine } from "./engine.ts";
import { WEEK } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

const many = (count: number, tick = 1): Place[] =>
  Array.from({ length: count }, (_, i) => ({ player: `p${i}`, strength: i, tick: tick + (i % 7) }));
const changesOf = (places: readonly Place[]) => String(places.reduce((sum, { tick }) => sum + tick + 1, 0));
const fill = (engine: Engine, { keys, args }: ReturnType<typeof fillingDefined>) =>
  engine.call("fill", keys, [1, ...args]);

describe("fills of boards that games define", () => {
  it("keep what is newer, take players off, and keep the sum of changes exact", async () => {
    const engine = await server.openGame();
    const mood = definedBoard(engine, "mood", { kind: "n" });
    await submitDefined(engine, [{ board: mood, player: "p1", strength: 99, tick: 50 }]);
    expect(await fill(engine, fillingDefined(mood, many(1200)))).toEqual(["ok", "1199", ""]);
    const expected = many(1200).with(1, { player: "p1", strength: 99, tick: 50 });
    expect(await server.redis.get(mood.changes)).toBe(changesOf(expected));
    expect(await fill(engine, fillingDefined(mood, many(1200)))).toEqual(["ok", "0", ""]);
    await fill(engine, fillingDefined(mood, [], ["p1", "nobody", "p3"]));
    const left = expected.filter(({ player }) => player !== "p1" && player !== "p3");
    expect(await server.redis.get(mood.changes)).toBe(changesOf(left));
    expect(await server.redis.zcard(mood.key)).toBe(1198);
    expect(await server.redis.expiretime(mood.key)).toBe(WEEK.expiry);
    expect(await server.redis.expiretime(mood.changes)).toBe(WEEK.expiry);
  });

  it("count a lost sum of changes anew from all entries, and empty it with its board", async () => {
    const engine = await server.openGame();
    const mood = definedBoard(engine, "mood", { kind: "n" });
    await fill(engine, fillingDefined(mood, many(2500)));
    for (const lose of [() => server.redis.del(mood.changes), () => server.redis.set(mood.changes, "many")]) {
      await lose();
      await fill(engine, fillingDefined(mood, []));
      expect(await server.redis.get(mood.changes)).toBe(changesOf(many(2500)));
    }
    await fill(engine, fillingDefined(mood, many(3), [], "d"));
    expect(await server.redis.get(mood.changes)).toBe(changesOf(many(3)));
  });

  it("raise boards and parts that are given by raise, of any period", async () => {
    const engine = await server.openGame();
    const laps = definedBoard(engine, "laps", { expiry: "" });
    for (const board of [laps, partOf(laps, "crew", "red")]) {
      await submitDefined(engine, [{ board, player: "p1", strength: 99, tick: 50 }]);
      expect(await fill(engine, fillingDefined(board, many(3)))).toEqual(["ok", "2", ""]);
      expect(await server.redis.zrevrange(board.key, 0, -1)).toEqual(["p1", "p2", "p0"]);
    }
  });

  it("give the push lease of a live top 10 that they change, also of a board that never ends", async () => {
    const engine = await server.openGame();
    const laps = definedBoard(engine, "laps", { expiry: "" });
    const { args } = fillingDefined(laps, many(3));
    const fillWith = (lease: string) =>
      engine.call("fill", [laps.key, engine.keys.moderated, lease], [1, ...args.with(2, "tr")]);
    expect(await fillWith(laps.lease)).toEqual(["ok", "3", "1"]);
    await server.redis.del(laps.key, laps.lease);
    expect(await fillWith(engine.keys.moderated)).toEqual(["ok", "3", ""]);
    expect(await fillWith(laps.lease)).toEqual(["ok", "0", ""]);
  });

  it("leave a full board alone, and are refused with wrong values", async () => {
    const engine = await server.openGame();
    const mood = definedBoard(engine, "mood", { kind: "n" });
    await server.redis.set(mood.key, "full");
    expect(await fill(engine, fillingDefined(mood, many(3), ["p9"]))).toEqual(["ok", "0", ""]);
    expect(await server.redis.get(mood.key)).toBe("full");
    const { keys, args } = fillingDefined(mood, many(1));
    for (const [place, value] of [
      [0, "5"],
      [1, "x"],
      [2, "nr"],
      [5, "31"],
      [5, ""],
      [6, "5"],
      [6, "nan"],
    ] as const)
      await expect(fill(engine, { keys, args: args.with(place, value) })).rejects.toThrow("ERR");
  });
});

describe("set", () => {
  it.each(["r", "n"] as const)(
    "makes an entry of a board given by %s exactly what Postgres says, and versions rise",
    async (kind) => {
      const engine = await server.openGame();
      const board = definedBoard(engine, "any", { kind });
      const part = partOf(board, "crew", "red");
      await submitDefined(
        engine,
        many(5, 10).flatMap((place) => [board, part].map((each) => ({ ...place, board: each }))),
      );
      const reads = readsOf(engine, board);
      let { version } = await reads.top();
      const steps = [
        { strength: 90, tick: 30 },
        { strength: 2, tick: 40 },
        { strength: 2, tick: 3 },
        { strength: 1, tick: 3 },
      ];
      for (const place of [...steps, undefined, { strength: 7, tick: 8 }]) {
        await server.redis.del(board.lease);
        const [status, lease, ofPart, moderated] = await setDefined(
          engine,
          "p4",
          [
            [board, place],
            [part, place],
          ],
          5_000,
        );
        expect([status, lease, ofPart]).toEqual(["ok", "1", ""]);
        expect(moderated).toBe(await server.redis.get(engine.keys.moderated));
        const now = await reads.top();
        expect(isNewer(now.version, version)).toBe(true);
        ({ version } = now);
        const entries = [...many(4, 10), ...(place ? [{ player: "p4", ...place }] : [])];
        if (kind === "n") expect(await server.redis.get(board.changes)).toBe(changesOf(entries));
        expect(now.size).toBe(entries.length);
        expect(await server.redis.zscore(part.key, "p4")).toBe(await server.redis.zscore(board.key, "p4"));
        const again = await setDefined(engine, "p4", [[board, place]], 5_000);
        expect(again).toEqual(["ok", "", moderated]);
      }
    },
  );

  it("leaves full boards alone and refuses wrong values", async () => {
    const engine = await server.openGame();
    const board = definedBoard(engine, "any", { kind: "n" });
    await server.redis.set(board.key, "full");
    expect(await setDefined(engine, "ann", [[board, { strength: 1, tick: 1 }]], 5)).toEqual(["ok", "", "5"]);
    expect(await setDefined(engine, "ann", [[board, undefined]], 5)).toEqual(["ok", "", "5"]);
    const keys = [engine.keys.moderated, board.key, board.lease, board.changes];
    const args = ["ann", 5, "", 30, "n", "", "top"];
    for (const [place, value] of [
      [1, "x"],
      [2, "nan"],
      [3, 31],
      [4, "x"],
      [5, "x"],
      [6, "x"],
    ] as const)
      await expect(engine.call("set", keys, args.with(place, value), 3)).rejects.toThrow("ERR");
    await expect(engine.call("set", keys.slice(1), args, 3)).rejects.toThrow("ERR wrong arguments for set");
    await expect(engine.call("set", keys, args.slice(1), 3)).rejects.toThrow("ERR wrong arguments for set");
  });
});
