import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Engine, Entry } from "./engine.ts";
import { WEEK, type Board } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

const IDS = ["A", "B", "Z", "a", "b", "z", "aa", "ab", "é", "ß", "🙂", "😀", "0", "7", "007", "~", " ", "-", "_", "zz"];

/** Reads a board page by page; `between` runs after each page with its last entry. */
async function readAll(engine: Engine, board: Board, size: number, between = async (_last: Entry) => {}) {
  const seen: Entry[] = [];
  const competitionRanks: [player: string, rank: number][] = [];
  for (let cursor: Entry | undefined; ;) {
    const page = await engine.top(board, size, cursor);
    seen.push(...page.entries);
    const [first] = page.entries;
    cursor = page.entries.at(-1);
    if (!first || !cursor) return { seen, players: seen.map(({ player }) => player), competitionRanks };
    competitionRanks.push([first.player, page.firstCompetitionRank]);
    await between(cursor);
  }
}

const entryOf = fc.record({ points: fc.integer({ min: 0, max: 2 }), second: fc.integer({ min: 0, max: 2 }) });
const move = fc.record({
  player: fc.constantFrom(...IDS),
  kind: fc.constantFrom("improve", "improve", "remove"),
  points: fc.integer({ min: 0, max: 4 }),
});

describe("a cursor", () => {
  it("never repeats anybody and never skips who did not move, while others improve, join and leave", async () => {
    const cases = fc.record({
      bests: fc.array(entryOf, { minLength: IDS.length, maxLength: IDS.length }),
      absent: fc.subarray(IDS),
      size: fc.integer({ min: 1, max: 5 }),
      moves: fc.array(fc.array(move, { maxLength: 3 }), { maxLength: 12 }),
      kind: fc.constantFrom("week", "all-time"),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ bests, absent, size, moves, kind }) => {
        const engine = await server.openGame();
        const board = kind === "week" ? engine.keys.board(WEEK) : engine.keys.allTime;
        const start = IDS.flatMap((player, i) => {
          const best = bests[i];
          return best && !absent.includes(player)
            ? [{ player, points: best.points, at: WEEK.start + best.second }]
            : [];
        });
        await engine.fill(board, start);
        const stable = (await engine.top(board, 100)).players;
        const moved = new Set<string>();
        const removed = new Set<string>();
        const { players } = await readAll(engine, board, size, async () => {
          for (const { player, kind, points } of moves.shift() ?? []) {
            moved.add(player);
            if (kind === "remove") removed.add(player);
            if (kind === "remove") await engine.correct(board, player, undefined);
            else await engine.fill(board, [{ player, points, at: WEEK.start + 1 }]);
          }
        });
        expect(players.filter((player) => !moved.has(player))).toEqual(stable.filter((player) => !moved.has(player)));
        // Who was removed and joined again, lower, is another entry: the only way to be seen twice.
        const once = players.filter((player) => !removed.has(player));
        expect(new Set(once).size).toBe(once.length);
      }),
      { numRuns: 150 },
    );
  });

  it.each(["week", "all-time"])("finds its place in a large group of equal scores of the %s board", async (kind) => {
    const engine = await server.openGame();
    const board = kind === "week" ? engine.keys.board(WEEK) : engine.keys.allTime;
    const group = Array.from({ length: 300 }, (_, i) => ({
      player: `p${String(i).padStart(3, "0")}`,
      points: 7,
      at: WEEK.start,
    }));
    await engine.fill(board, [
      ...group,
      { player: "top", points: 9, at: WEEK.start },
      { player: "low", points: 1, at: WEEK.start },
    ]);
    const descending = group.map(({ player }) => player).toReversed();
    const gone: string[] = [];
    const { players } = await readAll(engine, board, 7, async (last) => {
      gone.push(last.player);
      await engine.correct(board, last.player, undefined);
    });
    expect(players).toEqual(["top", ...descending, "low"]);
    expect((await engine.top(board, 400)).boardSize).toBe(302 - gone.length);
  });

  it("goes on behind a player who has moved up since", async () => {
    const engine = await server.openGame();
    const board = engine.keys.board(WEEK);
    await engine.fill(
      board,
      ["d", "c", "b", "a"].map((player) => ({ player, points: 5, at: WEEK.start })),
    );
    await engine.fill(board, [{ player: "c", points: 50, at: WEEK.start }]);
    expect((await engine.top(board, 10, { player: "c", points: 5, at: WEEK.start })).players).toEqual(["b", "a"]);
  });

  it("compares ids by bytes, in whatever place of the group the player was", async () => {
    const engine = await server.openGame();
    const board = engine.keys.board(WEEK);
    const at = WEEK.start;
    const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(b), Buffer.from(a));
    for (const left of IDS) {
      const others = IDS.filter((id) => id !== left);
      await engine.fill(
        board,
        others.map((player) => ({ player, points: 5, at })),
      );
      await engine.correct(board, left, undefined);
      const expected = others.toSorted(bytes).filter((id) => bytes(left, id) < 0);
      expect((await engine.top(board, 100, { player: left, points: 5, at })).players).toEqual(expected);
      await engine.fill(board, [{ player: left, points: 5, at }]);
    }
  });

  it("ends with an empty page behind the last entry, and on an empty board", async () => {
    const engine = await server.openGame();
    const board = engine.keys.board(WEEK);
    const empty = { entries: [], firstRank: 0, firstCompetitionRank: 0 };
    expect(await engine.top(board)).toMatchObject({ ...empty, status: "ok", boardSize: 0, version: "0" });
    await engine.fill(board, [{ player: "ann", points: 1, at: WEEK.start }]);
    expect(await engine.top(board, 10, { player: "ann", points: 1, at: WEEK.start })).toMatchObject({
      ...empty,
      boardSize: 1,
    });
  });
});

it("competition ranks are shared across pages", async () => {
  for (const kind of ["week", "all-time"]) {
    const engine = await server.openGame();
    const board = kind === "week" ? engine.keys.board(WEEK) : engine.keys.allTime;
    const points = [8_589_934_591, 8_589_934_591, 100, 100, 100, 100, 99, 1, 0, 0];
    await engine.fill(
      board,
      points.map((value, i) => ({ player: `${9 - i}`, points: value, at: WEEK.start + i })),
    );
    const expected = new Map(points.map((value, i) => [`${9 - i}`, points.indexOf(value) + 1]));
    for (const size of [1, 3, 4]) {
      const { competitionRanks } = await readAll(engine, board, size);
      for (const [player, rank] of competitionRanks) expect([player, rank]).toEqual([player, expected.get(player)]);
    }
  }
});
