import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { improves, percentile, placesFrom } from "../../functions/domain/board/ranking.ts";

const best = (points: number, achievedAtMs: number) => ({ points, achievedAtMs });

describe("a best", () => {
  it("improves with more points, or as many earlier, or when there was none", () => {
    expect(improves(best(0, 5), undefined)).toBe(true);
    expect(improves(best(2, 9), best(1, 1))).toBe(true);
    expect(improves(best(1, 4), best(1, 5))).toBe(true);
  });

  it("does not improve with fewer points, nor with as many at the same second or later", () => {
    expect(improves(best(1, 1), best(2, 9))).toBe(false);
    expect(improves(best(1, 5), best(1, 5))).toBe(false);
    expect(improves(best(1, 6), best(1, 5))).toBe(false);
  });

  it("of many is the same whatever their order", () => {
    const bests = fc.array(fc.record({ points: fc.nat(3), achievedAtMs: fc.nat(3) }), { minLength: 1, maxLength: 8 });
    const fold = (list: readonly ReturnType<typeof best>[]) =>
      list.reduce<ReturnType<typeof best> | undefined>((held, next) => (improves(next, held) ? next : held), undefined);
    fc.assert(
      fc.property(bests, (list) => {
        expect(fold(list)).toEqual(fold(list.toReversed()));
      }),
    );
  });
});

describe("places", () => {
  it("count on, and share the competition rank of equal points: 101, 100, 100, 99 → 1, 2, 2, 4", () => {
    const places = placesFrom({ rank: 1, competitionRank: 1 }, [101, 100, 100, 99]);
    expect(places.map(({ rank }) => rank)).toEqual([1, 2, 3, 4]);
    expect(places.map(({ competitionRank }) => competitionRank)).toEqual([1, 2, 2, 4]);
  });

  it("go on from a page that begins inside a group", () => {
    const places = placesFrom({ rank: 7, competitionRank: 3 }, [100, 100, 99]);
    expect(places).toEqual([
      { rank: 7, competitionRank: 3 },
      { rank: 8, competitionRank: 3 },
      { rank: 9, competitionRank: 9 },
    ]);
  });

  it("of a cut list are those of the whole list, wherever it is cut", () => {
    const cases = fc
      .array(fc.nat(4), { minLength: 1, maxLength: 20 })
      .chain((list) => fc.tuple(fc.constant(list), fc.nat(list.length - 1)));
    fc.assert(
      fc.property(cases, ([list, cut]) => {
        const points = list.toSorted((a, b) => b - a);
        const whole = placesFrom({ rank: 1, competitionRank: 1 }, points);
        for (const [i, { competitionRank }] of whole.entries()) {
          expect(competitionRank).toBe(1 + points.filter((value) => value > (points[i] ?? 0)).length);
        }
        const first = whole[cut];
        if (first) expect(placesFrom(first, points.slice(cut))).toEqual(whole.slice(cut));
      }),
    );
  });

  it("of nobody are none", () => {
    expect(placesFrom({ rank: 0, competitionRank: 0 }, [])).toEqual([]);
  });
});

describe("the percentile", () => {
  it.each([
    [1, 10, 100],
    [10, 10, 10],
    [5, 10, 60],
    [1, 1, 100],
    [1, 2, 100],
    [2, 2, 50],
    [2, 3, 66.67],
    [3, 3, 33.33],
    [2, 7, 85.71],
    [7, 7, 14.29],
    [2, 21_000, 99.99],
    [21_000, 21_000, 0.01],
    [2, 10_000_000, 99.99],
    [5_000_000, 10_000_000, 50],
    [10_000_000, 10_000_000, 0.01],
    [1_000_000, 2_000_000, 50],
  ])("of rank %i of %i is %d", (rank, boardSize, expected) => {
    expect(percentile(rank, boardSize)).toBe(expected);
  });

  it("is 100 for the first alone, 0 for nobody, has two decimals, and never rises with the rank", () => {
    const place = fc
      .integer({ min: 2, max: 10_000_000 })
      .chain((size) => fc.tuple(fc.integer({ min: 2, max: size }), fc.constant(size)));
    fc.assert(
      fc.property(place, ([rank, size]) => {
        const found = percentile(rank, size);
        expect(found).toBeGreaterThan(0);
        expect(found).toBeLessThan(100);
        expect(Number(found.toFixed(2))).toBe(found);
        expect(found).toBeLessThanOrEqual(percentile(rank - 1, size));
      }),
    );
    expect([1, 2, 3, 7, 21_000, 10_000_000].map((size) => percentile(1, size))).toEqual([100, 100, 100, 100, 100, 100]);
  });
});
