import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ALL_TIME_EPOCH, allTimeScore, MAX_POINTS, weeklyScore } from "../../functions/domain/board/score.ts";

const WEEK_SECONDS = 604_800;
const LAST_SECOND = ALL_TIME_EPOCH + 2 ** 30 - 1;
/** Points beside which the exponent of the all-time score changes, its sign flips, or its range ends. */
const EDGE_POINTS = [
  0,
  2 ** 22,
  2 ** 23,
  2 ** 31,
  2 ** 32,
  1023 * 2 ** 22,
  1024 * 2 ** 22,
  1025 * 2 ** 22,
  2047 * 2 ** 22,
  MAX_POINTS,
]
  .flatMap((points) => [points - 1, points, points + 1])
  .filter((points) => points >= 0 && points <= MAX_POINTS);
const EDGE_TIMES = [ALL_TIME_EPOCH, ALL_TIME_EPOCH + 1, ALL_TIME_EPOCH + 2 ** 29, LAST_SECOND - 1, LAST_SECOND];

const points = fc.oneof(
  fc.constantFrom(...EDGE_POINTS),
  fc.integer({ min: 0, max: MAX_POINTS }),
  fc.integer({ min: 0, max: 9 }),
);
const secondOfWeek = fc.oneof(fc.constantFrom(0, 1, WEEK_SECONDS - 1), fc.integer({ min: 0, max: WEEK_SECONDS - 1 }));
const unixSecond = fc.oneof(fc.constantFrom(...EDGE_TIMES), fc.integer({ min: ALL_TIME_EPOCH, max: LAST_SECOND }));

type Result = readonly [points: number, second: number];
/** More points first, then the earlier second: negative when `a` ranks below `b`. */
const compare = ([pointsA, secondA]: Result, [pointsB, secondB]: Result) =>
  Math.sign(pointsA - pointsB || secondB - secondA);

describe("the weekly score", () => {
  it("is 9007199254740991, the largest exact integer, for the most points at second 0", () => {
    expect(String(weeklyScore(MAX_POINTS, 0))).toBe("9007199254740991");
    expect(weeklyScore(MAX_POINTS, 0)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("ranks 8,589,934,591 points at seconds 10, 20 and 30 in that order", () => {
    const scores = [10, 20, 30].map((second) => weeklyScore(MAX_POINTS, second));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBe(3);
  });

  it("is an exact integer of the stated formula, whatever the points and the second", () => {
    fc.assert(
      fc.property(points, secondOfWeek, (p, s) => {
        expect(BigInt(weeklyScore(p, s))).toBe(BigInt(p) * 2n ** 20n + (2n ** 20n - 1n - BigInt(s)));
      }),
      { numRuns: 2000 },
    );
  });

  it("is ordered as points and second are, and equal only for equal ones", () => {
    const result = fc.tuple(points, secondOfWeek);
    fc.assert(
      fc.property(result, result, (a, b) => {
        expect(Math.sign(weeklyScore(...a) - weeklyScore(...b))).toBe(compare(a, b));
      }),
      { numRuns: 5000 },
    );
  });
});

describe("the all-time score", () => {
  it("is ordered as points and second are, and equal only for equal ones", () => {
    const result = fc.tuple(points, unixSecond);
    fc.assert(
      fc.property(result, result, (a, b) => {
        const [scoreA, scoreB] = [allTimeScore(...a), allTimeScore(...b)];
        expect(scoreA > scoreB ? 1 : scoreA < scoreB ? -1 : 0).toBe(compare(a, b) + 0);
      }),
      { numRuns: 10_000 },
    );
  });

  it("rises strictly over every edge of points and time", () => {
    const results = EDGE_POINTS.flatMap((p) => EDGE_TIMES.map((second): Result => [p, second]));
    const distinct = new Map(results.map((result) => [result.join(), result]));
    const ascending = [...distinct.values()].toSorted(compare).map((result) => allTimeScore(...result));
    for (const [i, score] of ascending.entries()) {
      const below = ascending[i - 1];
      if (below !== undefined) expect(score).toBeGreaterThan(below);
    }
  });

  it("tells neighbours apart: one second, one point", () => {
    fc.assert(
      fc.property(points, unixSecond, (p, second) => {
        const score = allTimeScore(p, second);
        if (second < LAST_SECOND) expect(allTimeScore(p, second + 1)).toBeLessThan(score);
        if (p < MAX_POINTS) expect(allTimeScore(p + 1, LAST_SECOND)).toBeGreaterThan(score);
        if (p < MAX_POINTS) expect(allTimeScore(p + 1, LAST_SECOND)).toBeGreaterThan(allTimeScore(p, ALL_TIME_EPOCH));
      }),
      { numRuns: 3000 },
    );
  });

  it("is a normal finite double that survives seventeen digits of text", () => {
    fc.assert(
      fc.property(points, unixSecond, (p, second) => {
        const score = allTimeScore(p, second);
        expect(Math.abs(score)).toBeGreaterThan(2 ** -600);
        expect(Math.abs(score)).toBeLessThan(2 ** 600);
        expect(Number(score.toPrecision(17))).toBe(score);
      }),
      { numRuns: 2000 },
    );
  });
});
