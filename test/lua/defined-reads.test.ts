import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNewer } from "../../functions/contract/live.ts";
import { changesVersionOf, packedVersionOf } from "../../functions/domain/board/packed-version.ts";
import { SPLITS } from "../domain/packed.ts";
import {
  definedBoard,
  lastTick,
  partOf,
  readsOf,
  scoreOf,
  submitDefined,
  type DefinedBoard,
  type Place,
} from "./defined.ts";
import type { Engine } from "./engine.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

const play = (engine: Engine, board: DefinedBoard, places: readonly Place[]) =>
  submitDefined(
    engine,
    places.map((place) => ({ ...place, board })),
  );

/** As boards rank: more strength, the earlier tick, the greater id. */
const ranked = (places: readonly Place[]) =>
  places.toSorted((a, b) => b.strength - a.strength || a.tick - b.tick || (a.player < b.player ? 1 : -1));

/** Players with few strengths and ticks, so that many are equal, near the most that the split holds. */
const crowd = (board: DefinedBoard, count: number): Place[] =>
  Array.from({ length: count }, (_, i) => ({
    player: `p${String(i).padStart(2, "0")}`,
    strength: 2 ** board.split - 1 - (i % 5),
    tick: i % 3 === 0 ? lastTick(board) : i % 2,
  }));

/** The version by the rule that Postgres has. */
function byRule(board: DefinedBoard, places: readonly Place[], moderated = "1"): string {
  if (board.kind === "n") {
    const changes = places.reduce((sum, { tick }) => sum + BigInt(tick + 1), 0n);
    return changesVersionOf({ moderated, entries: places.length, changes });
  }
  const shown = ranked(places).slice(0, 10);
  const last = shown.at(-1);
  const reaches = ({ strength, tick }: Place) =>
    last !== undefined && (strength > last.strength || (strength === last.strength && tick <= last.tick));
  const sum = {
    moderated,
    entries: shown.length,
    strengths: shown.reduce((total, { strength }) => total + BigInt(strength), 0n),
    inverted: shown.reduce((total, { tick }) => total + lastTick(board) - tick, 0),
    reached: places.filter(reaches).length,
  };
  return packedVersionOf(sum, board.split);
}

describe.each(SPLITS)("a board with %i bits of strength", (split) => {
  it.each(["r", "n"] as const)("given by %s is read by pages, around players, by place and by player", async (kind) => {
    const engine = await server.openGame();
    const board = definedBoard(engine, "any", { kind, split });
    const places = ranked(crowd(board, 40));
    for (const each of [board, partOf(board, "crew", "red")]) {
      await play(engine, each, places);
      const reads = readsOf(engine, each);
      const shown = (from: number, to: number) =>
        places.slice(from, to).map((place) => ({ player: place.player, score: Number(scoreOf(each, place)) }));
      const stronger = ({ strength }: Place) => places.filter((place) => place.strength > strength).length;
      for (const [i, place] of places.entries()) {
        const page = await reads.top(3, place);
        expect(page.entries).toEqual(shown(i + 1, i + 4));
        const next = places[i + 1];
        expect(page.competitionRank).toBe(next ? String(stronger(next) + 1) : "0");
        const first = Math.max(0, Math.min(i - 2, places.length - 5));
        expect((await reads.around(place.player, 2)).entries).toEqual(shown(first, first + 5));
        const [, , reached, above] = await reads.place(place.strength);
        expect([Number(reached), Number(above)]).toEqual([
          places.filter(({ strength }) => strength >= place.strength).length,
          stronger(place),
        ]);
      }
      expect(await reads.top()).toMatchObject({
        status: "ok",
        size: 40,
        entries: shown(0, 10),
        version: byRule(board, places),
      });
      expect((await reads.around("nobody", 2)).status).toBe("absent");
      const [status, size, ...among] = await reads.among(["nobody", ...places.map(({ player }) => player)]);
      expect([status, size, ...among.slice(0, 2)]).toEqual(["ok", "40", "", ""]);
      const found = places.map((_, i) => [Number(among[2 * i + 2]), among[2 * i + 3]]);
      expect(found).toEqual(shown(0, 40).map(({ score }, i) => [score, String(i + 1)]));
      expect((await reads.among(["p00"], "")).slice(-1)).toEqual([""]);
      const [, , ...scores] = await reads.places([1, 40, 41]);
      expect(scores.map((score) => score && Number(score))).toEqual([
        shown(0, 1)[0]?.score,
        shown(39, 40)[0]?.score,
        "",
      ]);
    }
  });

  it.each(["r", "n"] as const)(
    "given by %s has versions that rise with every change, as Postgres makes them",
    async (kind) => {
      const place = fc.record({
        player: fc.integer({ min: 0, max: 14 }).map((n) => `p${n}`),
        strength: fc.integer({ min: 2 ** split - 3, max: 2 ** split - 1 }),
        tick: fc.integer({ min: 0, max: 3 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(place, { minLength: 12, maxLength: 40 }), async (list) => {
          const engine = await server.openGame();
          const board = definedBoard(engine, "any", { kind, split });
          const reads = readsOf(engine, board);
          const held = new Map<string, Place>();
          let before = await reads.top();
          expect(before.version).toBe("0");
          for (const each of list) {
            await play(engine, board, [each]);
            const now = await reads.top();
            expect(isNewer(before.version, now.version)).toBe(false);
            if (JSON.stringify(now.entries) !== JSON.stringify(before.entries))
              expect(isNewer(now.version, before.version)).toBe(true);
            before = now;
            const had = held.get(each.player);
            const counts = kind === "n" ? !had || each.tick > had.tick : !had || ranked([had, each])[0] === each;
            if (counts) held.set(each.player, each);
          }
          expect(before.version).toBe(byRule(board, [...held.values()]));
          const part = readsOf(engine, partOf(board, "crew", "red"));
          expect((await part.top()).version).toBe(before.version);
        }),
        { numRuns: 8 },
      );
    },
  );
});

describe("reads of boards that games define", () => {
  it("say that the game is missing and that a board, or the whole of a part, is full", async () => {
    for (const kind of ["r", "n"] as const) {
      const engine = await server.openGame();
      const board = definedBoard(engine, "any", { kind });
      const part = partOf(board, "crew", "red");
      await play(engine, part, crowd(part, 3));
      await server.redis.set(board.key, "full");
      const reads = readsOf(engine, board);
      const all = [reads.top(), reads.around("p00", 1), reads.push()].map(async (read) => (await read).status);
      expect(
        await Promise.all([
          ...all,
          readsOf(engine, part)
            .top()
            .then(({ status }) => status),
        ]),
      ).toEqual(Array.from({ length: 4 }, () => "full"));
      const others = [reads.among(["p00"]), reads.place(1), reads.places([1])];
      expect(await Promise.all(others)).toEqual([["full"], ["full"], ["full"]]);
      await server.redis.del(engine.keys.activity);
      expect((await reads.top()).status).toBe("missing");
      expect(await reads.among(["p00"])).toEqual(["missing"]);
    }
  });

  it("end the lease with a push, and tell a lost front or sum by a 0 in front", async () => {
    const engine = await server.openGame();
    const board = definedBoard(engine, "any", { kind: "n" });
    await play(engine, board, crowd(board, 3));
    const reads = readsOf(engine, board);
    expect(await server.redis.exists(board.lease)).toBe(1);
    expect((await reads.push()).entries).toHaveLength(3);
    expect(await server.redis.exists(board.lease)).toBe(0);
    await server.redis.del(board.changes);
    expect((await reads.top()).version).toMatch(/^0{18}$/);
  });

  it("refuse what is no read", async () => {
    const engine = await server.openGame();
    const { keys } = engine;
    const { key } = definedBoard(engine, "any");
    const five = [keys.activity, key, keys.moderated, key, key];
    const refused = (verb: string, list: readonly string[], args: readonly (string | number)[]) =>
      expect(engine.call(verb, list, args, 3)).rejects.toMatchObject({ message: "ERR wrong arguments for a read" });
    await refused("range", five.slice(1), ["r", 30, "top", 10]);
    for (const args of [
      ["x", 30, "top", 10],
      ["r", 31, "top", 10],
      ["r", 30, "low", 10],
      ["r", 30, "top", 0],
      ["r", 30, "top", "x"],
      ["r", 30, "top", 10, "nan", "ann"],
      ["r", 30, "top", 10, scoreOf({ split: 33 }, { strength: 1, tick: 1 })],
      ["r", 30, "around", 10],
      [],
    ])
      await refused("range", five, args);
    await refused("push", five, ["r", 30]);
    await refused("push", [...five, key], ["r", 3]);
    for (const args of [["1"], ["x", "ann"], ["", ...Array.from({ length: 501 }, () => "ann")]])
      await refused("among", five, args);
    await refused("place", five, ["nan", 30]);
    await refused("places", five, [0]);
    await refused("places", five, []);
  });
});

describe("inspect", () => {
  it("tells size and raw scores of boards that games define, and of their parts", async () => {
    const engine = await server.openGame();
    const board = definedBoard(engine, "any", { kind: "n", split: 53 });
    const part = partOf(board, "crew", "red");
    const places = crowd(board, 3);
    for (const each of [board, part]) await play(engine, each, places);
    const keys = [engine.keys.activity, engine.keys.moderated, board.key, part.key];
    const players = ["", 2, "p00", "nobody"];
    const reply = await engine.call("inspect", keys, [20, ...players, ...players]);
    const score = Number(scoreOf(board, { strength: 2 ** 53 - 1, tick: lastTick(board) }));
    const ofBoards = reply.slice(3).map((text) => (text === "" ? "" : Number(text)));
    expect(ofBoards).toEqual([3, "", score, "", 3, "", score, ""]);
  });
});
