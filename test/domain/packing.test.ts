import { describe, expect, it } from "vitest";
import {
  instantOf,
  lastTickOf,
  packStrength,
  splitOf,
  textOf,
  tickOf,
  unpackStrength,
} from "../../functions/domain/board/packing.ts";
import { packingOf } from "../../functions/domain/board/rule.ts";
import { ALL_TIME_EPOCH, allTimeScore } from "../../functions/domain/board/score.ts";
import { compare, isLong, packingFor, pairs, SPLITS, type Place } from "./packed.ts";

const PAIRS = isLong ? 1_000_000 : 60_000;
const DAY_MS = 86_400_000;
const ENDLESS = { startsAtMs: Number.NEGATIVE_INFINITY, endsAtMs: Number.POSITIVE_INFINITY };
const timed = { split: 33, tie: "earliest" } as const;
const unitOf = (split: 33 | 43 | 53, lengthMs: number) =>
  packingOf({ split, tie: "earliest" }, { startsAtMs: 0, endsAtMs: lengthMs }).unitMs;

describe.each(SPLITS)("packed scores with %i bits of strength", (split) => {
  const packing = packingFor(split);

  it(`order ${PAIRS} pairs as strength and time do, and come back exactly, as doubles and in either spelling`, () => {
    for (const [a, b] of pairs(split, PAIRS)) {
      const [scoreA, scoreB] = [packStrength(packing, ...a), packStrength(packing, ...b)];
      const { strength, tick } = unpackStrength(packing, scoreA);
      const isExact = strength === a[0] && tick === a[1];
      const isOrdered = (scoreA > scoreB ? 1 : scoreA < scoreB ? -1 : 0) === compare(a, b) + 0;
      const isSpelled = Number(textOf(scoreA)) === scoreA && Number(String(scoreA)) === scoreA;
      const isTame = Math.abs(scoreA) >= 2 ** -512 && Math.abs(scoreA) <= 2 ** 512;
      if (!isExact || !isOrdered || !isSpelled || !isTame) expect.fail(JSON.stringify({ a, b, scoreA, scoreB }));
    }
  });

  it("hold the least and the most strength at the first and the last tick", () => {
    const places: Place[] = [
      [2 ** split - 1, 0],
      [2 ** split - 1, lastTickOf(packing)],
      [0, 0],
      [0, lastTickOf(packing)],
    ];
    const scores = places.map((place) => packStrength(packing, ...place));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.map((score) => unpackStrength(packing, score))).toEqual(
      places.map(([strength, tick]) => ({ strength, tick })),
    );
  });

  it("hold no time where equal strengths rank by id", () => {
    const untimed = { ...packing, timed: false };
    const scores = [0, 1, 1000].map((tick) => packStrength(untimed, 2 ** split - 2, tick));
    expect(new Set(scores).size).toBe(1);
    expect(scores.map((score) => unpackStrength(untimed, score))).toEqual(
      scores.map(() => ({ strength: 2 ** split - 2, tick: undefined })),
    );
    expect(packStrength(untimed, 2 ** split - 1, 0)).toBeGreaterThan(scores[0] ?? Number.NaN);
  });

  it("are told apart by neighbouring scores wherever the exponent changes", () => {
    const step = 2 ** (split - 11);
    for (let high = 1; high < 2048; high++) {
      const [above, below] = [
        packStrength(packing, high * step, lastTickOf(packing)),
        packStrength(packing, high * step - 1, 0),
      ];
      if (!(above > below)) expect.fail(`${high * step}`);
    }
  });
});

describe("the packing of a period", () => {
  it("is the first split that has room for the strengths", () => {
    expect([0, 2 ** 33 - 1, 2 ** 33, 2 ** 43 - 1, 2 ** 43, 2 ** 53 - 1].map(splitOf)).toEqual([33, 33, 43, 43, 53, 53]);
    expect(() => splitOf(2 ** 53)).toThrow(RangeError);
  });

  it.each([
    ["an hour", 33, DAY_MS / 24, 1],
    ["a day", 33, DAY_MS, 1],
    ["the longest week, with an hour more", 33, 7 * DAY_MS + DAY_MS / 24, 1],
    ["the shortest month", 33, 28 * DAY_MS, 5],
    ["the longest month", 33, 31 * DAY_MS, 5],
    ["a quarter", 33, 92 * DAY_MS, 10],
    ["a year", 33, 366 * DAY_MS, 50],
    ["just what fits", 33, 2 ** 30, 1],
    ["a millisecond too many", 33, 2 ** 30 + 1, 2],
    ["a minute beside 43 bits", 43, 60_000, 1],
    ["a day beside 43 bits", 43, DAY_MS, 100],
  ] as const)("counts %s beside %i bits in the smallest step that fits", (_, split, lengthMs, unitMs) => {
    expect(unitOf(split, lengthMs)).toBe(unitMs);
  });

  it("of a board that never ends gives the scores of the all-time board, bit for bit", () => {
    const packing = packingOf(timed, ENDLESS);
    for (const [[points, tick]] of pairs(33, 5_000)) {
      const second = ALL_TIME_EPOCH + tick;
      expect(packStrength(packing, points, tickOf(packing, second * 1000 + 999))).toBe(allTimeScore(points, second));
    }
  });

  it("keeps the all-time scores that are stored already", () => {
    expect(
      [
        [0, ALL_TIME_EPOCH],
        [1200, 1_791_000_000],
        [2 ** 32 - 1, ALL_TIME_EPOCH + 2 ** 30 - 1],
        [2 ** 32, 1_791_000_000],
        [2 ** 33 - 1, ALL_TIME_EPOCH],
      ].map(([points = 0, second = 0]) => textOf(allTimeScore(points, second))),
    ).toEqual([
      "-1.3407806331607339e+154",
      "-1.3405888458703210e+154",
      "-7.4583425094072047e-155",
      "7.4583423654391576e-155",
      "1.3407807929942596e+154",
    ]);
  });

  it("cuts times to its step", () => {
    const packing = packingOf(timed, { startsAtMs: 1_000, endsAtMs: 1_000 + 31 * DAY_MS });
    expect([1_000, 1_004, 1_005, 1_014].map((ms) => tickOf(packing, ms))).toEqual([0, 0, 1, 2]);
    expect([0, 1, 2].map((tick) => instantOf(packing, tick))).toEqual([1_000, 1_005, 1_010]);
    expect(tickOf(packing, 1_000 + 31 * DAY_MS - 1)).toBeLessThanOrEqual(lastTickOf(packing));
  });
});
