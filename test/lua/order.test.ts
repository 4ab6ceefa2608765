import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { improves } from "../../functions/domain/board/ranking.ts";
import { allTimeScore, MAX_POINTS, weeklyScore } from "../../functions/domain/board/score.ts";
import type { Best, Engine, Entry, Item } from "./engine.ts";
import { ALL_TIME_FIRST, ALL_TIME_LAST, WEEK } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

const points = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: MAX_POINTS }),
  fc.constant(MAX_POINTS),
);
const second = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 604_799 }));
const submission = fc.record({ player: fc.constantFrom("a", "b", "B", "é", "🙂", "7", "007"), points, second });
type Submission = typeof submission extends fc.Arbitrary<infer T> ? T : never;

/** The submission as a caller sends it that knows no other one: its own points are its bests. */
const itemOf = ({ player, points, second: at }: Submission): Item => ({ player, points, at: WEEK.start + at });

function bestsOf(submissions: readonly Submission[]): Entry[] {
  const bests = new Map<string, Best>();
  for (const { player, points, second: at } of submissions) {
    const candidate = { points, at: WEEK.start + at };
    const held = bests.get(player);
    const asBest = (best: Best) => ({ points: best.points, achievedAtMs: best.at * 1000 });
    if (improves(asBest(candidate), held && asBest(held))) bests.set(player, candidate);
  }
  return [...bests].map(([player, best]) => ({ player, ...best }));
}

async function boards(engine: Engine) {
  return [await engine.raw(engine.keys.board(WEEK)), await engine.raw(engine.keys.allTime)];
}

describe("the order of submissions", () => {
  it("does not matter: one by one, shuffled, in a batch and filled from bests give the same members and scores", async () => {
    const cases = fc
      .array(submission, { minLength: 1, maxLength: 25 })
      .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    await fc.assert(
      fc.asyncProperty(cases, async ([list, shuffled]) => {
        const [one, other, batch, rebuilt] = await Promise.all([
          server.openGame(),
          server.openGame(),
          server.openGame(),
          server.openGame(),
        ]);
        for (const each of list) await one.submit([itemOf(each)], WEEK);
        for (const each of shuffled) await other.submit([itemOf(each)], WEEK);
        await batch.submit(shuffled.map(itemOf), WEEK);
        await rebuilt.fill(rebuilt.keys.board(WEEK), bestsOf(list));
        await rebuilt.fill(rebuilt.keys.allTime, bestsOf(list));
        const expected = await boards(one);
        expect(await boards(other)).toEqual(expected);
        expect(await boards(batch)).toEqual(expected);
        expect(await boards(rebuilt)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it("does not matter to a fill: what the board has better stays", async () => {
    const engine = await server.openGame();
    const board = engine.keys.board(WEEK);
    await engine.submit(
      [
        { player: "ann", points: 50 },
        { player: "bob", points: 5 },
      ],
      WEEK,
    );
    const page = ["ann", "bob", "cid"].map((player) => ({ player, points: 20, at: WEEK.start }));
    expect(await engine.fill(board, page)).toEqual(["ok", "2", ""]);
    expect((await engine.top(board)).entries.map(({ player, points }) => [player, points])).toEqual([
      ["ann", 50],
      ["cid", 20],
      ["bob", 20],
    ]);
  });

  it("holds on a page of more entries than one command takes", async () => {
    const engine = await server.openGame();
    const page = Array.from({ length: 2500 }, (_, i) => ({ player: `p${i}`, points: i, at: WEEK.start }));
    expect(await engine.fill(engine.keys.board(WEEK), page)).toEqual(["ok", "2500", ""]);
    expect(await engine.fill(engine.keys.board(WEEK), [])).toEqual(["ok", "0", ""]);
    const [, estimate, exact] = await engine.count(engine.keys.board(WEEK), WEEK);
    expect(exact).toBe("2500");
    expect(Math.abs(Number(estimate) - 2500)).toBeLessThan(75);
  });
});

describe("raw scores", () => {
  it("are exact: the most points at second 0 are 2^53 - 1, and seconds 10, 20, 30 rank in that order", async () => {
    const engine = await server.openGame();
    const seconds = [30, 10, 0, 20];
    await engine.submit(
      seconds.map((s) => ({ player: `at-${s}`, points: MAX_POINTS, at: WEEK.start + s })),
      WEEK,
    );
    const raw = await engine.raw(engine.keys.board(WEEK));
    expect(raw.slice(0, 2)).toEqual(["at-0", "9007199254740991"]);
    expect((await engine.top(engine.keys.board(WEEK))).players).toEqual(["at-0", "at-10", "at-20", "at-30"]);
    expect((await engine.top(engine.keys.allTime)).players).toEqual(["at-0", "at-10", "at-20", "at-30"]);
  });

  it("are those that functions/domain/board/score.ts computes", async () => {
    const engine = await server.openGame();
    const any = fc.sample(fc.tuple(points, second, fc.integer({ min: ALL_TIME_FIRST, max: ALL_TIME_LAST })), 1000);
    const extremes: [number, number, number][] = [0, 1, 2 ** 22 - 1, 2 ** 22, 2 ** 32 - 1, 2 ** 32, MAX_POINTS].flatMap(
      (p): [number, number, number][] => [
        [p, 0, ALL_TIME_FIRST],
        [p, 604_799, ALL_TIME_LAST],
      ],
    );
    const cases = [...extremes, ...any].map(([points, second, at], i) => ({ player: `p${i}`, points, second, at }));
    await engine.submit(
      cases.map(({ player, points, second, at }) => ({
        player,
        points,
        at: WEEK.start + second,
        allTime: { points, at },
      })),
      WEEK,
    );
    for (const [board, scoreOf] of [
      [engine.keys.board(WEEK), (c: (typeof cases)[number]) => weeklyScore(c.points, c.second)],
      [engine.keys.allTime, (c: (typeof cases)[number]) => allTimeScore(c.points, c.at)],
    ] as const) {
      const held = await server.redis.zmscore(
        board.key,
        cases.map(({ player }) => player),
      );
      expect(held.map(Number)).toEqual(cases.map(scoreOf));
    }
  });

  it("of the all-time board give back the points and the second that were put in", async () => {
    const engine = await server.openGame();
    const entry = fc.record({ points, at: fc.integer({ min: ALL_TIME_FIRST, max: ALL_TIME_LAST }) });
    const list = fc.sample(entry, 500).map((best, i) => ({ player: `p${String(i).padStart(3, "0")}`, ...best }));
    await engine.submit(
      list.map(({ player, ...allTime }) => ({ player, points: allTime.points, allTime })),
      WEEK,
    );
    const ordered = list.toSorted((a, b) => b.points - a.points || a.at - b.at || (a.player < b.player ? 1 : -1));
    expect((await engine.top(engine.keys.allTime, 500)).entries).toEqual(ordered);
  });
});

describe("the all-time board", () => {
  it("ranks the same points by the earlier second, years apart", async () => {
    const engine = await server.openGame();
    const at = (iso: string) => Date.parse(iso) / 1000;
    const seconds = [at("2024-01-01T00:00:00Z"), at("2026-10-12T08:00:00Z"), at("2026-10-12T08:00:01Z"), ALL_TIME_LAST];
    const list = seconds.map((second, i) => ({ player: `${9 - i}`, points: 4_194_304, at: second }));
    await engine.fill(engine.keys.allTime, list.toReversed());
    expect((await engine.top(engine.keys.allTime)).entries).toEqual(list);
  });

  it("keeps the earlier of two equal bests, whichever arrives first", async () => {
    for (const order of [
      [5, 9],
      [9, 5],
    ]) {
      const engine = await server.openGame();
      for (const s of order) await engine.submit([{ player: "ann", points: 77, at: WEEK.start + s }], WEEK);
      expect((await engine.top(engine.keys.allTime)).entries[0]?.at).toBe(WEEK.start + 5);
    }
  });
});
