import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalUnits, MOST_DECIMAL_UNITS, valueOfUnits } from "../../functions/domain/board/decimal.ts";
import {
  contributionOf,
  refusalInWords,
  strengthOf,
  valueOf,
  valuesOf,
  type Taken,
} from "../../functions/domain/board/strength.ts";
import { ruleFor } from "./rules.ts";

const strength = (strength: number): Taken => ({ kind: "taken", contribution: { kind: "strength", strength } });
const units = (units: number): Taken => ({ kind: "taken", contribution: { kind: "units", units } });
const refused = (statistic: string, refusal: string) => ({ kind: "refused", refused: [{ statistic, refusal }] });
const taken = (rule: ReturnType<typeof ruleFor>, value: number) => contributionOf(rule, { lapMs: value });

describe("a decimal number in units of its last place", () => {
  it.each([
    [83.211, 3, 83_211],
    [0.1, 1, 1],
    [1.005, 3, 1_005],
    [4.35, 2, 435],
    [-0.07, 2, -7],
    [5e-7, 7, 5],
    [1e21, 0, 1e21],
    [1.5e-7, 8, 15],
    [12, 9, 12_000_000_000],
    [0, 5, 0],
    [-0, 5, 0],
  ])("of %d with %i places is %d", (value, decimals, expected) => {
    expect(decimalUnits(value, decimals)).toBe(expected);
  });

  it.each([
    [83.2111, 3],
    [0.5, 0],
    [0.1 + 0.2, 9],
    [1e-7, 6],
    [5e-324, 9],
  ])("of %d with %i places is none", (value, decimals) => expect(decimalUnits(value, decimals)).toBeUndefined());

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("of %d is none", (value) => {
    expect(decimalUnits(value, 2)).toBeUndefined();
  });

  it("leads there and back, through JSON, up to fifteen digits, or 2^53 without places", () => {
    const decimal = fc.integer({ min: 1, max: 9 }).chain((decimals) =>
      fc.tuple(
        fc.maxSafeInteger().map((n) => n % (MOST_DECIMAL_UNITS + 1)),
        fc.constant(decimals),
      ),
    );
    fc.assert(
      fc.property(fc.oneof(decimal, fc.tuple(fc.maxSafeInteger(), fc.constant(0))), ([whole, decimals]) => {
        const value: unknown = JSON.parse(JSON.stringify(valueOfUnits(whole, decimals)));
        expect(decimalUnits(Number(value), decimals)).toBe(whole + 0);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("the strength of a value", () => {
  it("is larger for more, or for less where less is better", () => {
    const [more, less] = [
      ruleFor({ value: { min: -50, max: 50, decimals: 0 } }),
      ruleFor({ order: "asc", value: { min: -50, max: 50, decimals: 0 } }),
    ];
    expect([-50, 0, 50].map((value) => taken(more, value))).toEqual([0, 50, 100].map(strength));
    expect([-50, 0, 50].map((value) => taken(less, value))).toEqual([100, 50, 0].map(strength));
  });

  it.each(["asc", "desc"] as const)(
    "leads back to the value (%s), whatever the bounds, and keeps the order",
    (order) => {
      const bounds = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: -1e9, max: 1e9 }), fc.nat(1e9));
      fc.assert(
        fc.property(
          bounds,
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.nat(9),
          ([decimals, low, width], at, step) => {
            const high = low + width + 1;
            const rule = ruleFor({
              order,
              value: { min: valueOfUnits(low, decimals), max: valueOfUnits(high, decimals), decimals },
            });
            const one = Math.min(high, low + Math.floor(at * (width + 1)));
            const other = Math.min(high, one + step);
            const [a, b] = [one, other].map((whole) => strengthOf(rule, valueOfUnits(whole, decimals))).map(Number);
            expect(valueOf(rule, a ?? -1)).toBe(valueOfUnits(one, decimals));
            expect(Math.sign(Number(b) - Number(a)) + 0).toBe(
              Math.sign(order === "desc" ? other - one : one - other) + 0,
            );
          },
        ),
        { numRuns: 1_000 },
      );
    },
  );

  it("uses up to 53 bits", () => {
    const rule = ruleFor({ tie: "id", value: { min: 0, max: Number.MAX_SAFE_INTEGER, decimals: 0 } });
    expect(rule.split).toBe(53);
    expect([2 ** 53 - 1, 2 ** 53 - 2, 0].map((value) => taken(rule, value))).toEqual(
      [2 ** 53 - 1, 2 ** 53 - 2, 0].map(strength),
    );
  });

  it.each([
    [3_600.001, "out-of-range"],
    [-0.001, "out-of-range"],
    [1e300, "out-of-range"],
    [2 ** 53, "out-of-range"],
    [1.0005, "too-many-places"],
    [Number.POSITIVE_INFINITY, "not-finite"],
  ])("is refused for %d as %s, never rounded or clamped", (value, refusal) => {
    expect(taken(ruleFor({ value: { min: 0, max: 3_600, decimals: 3 } }), value)).toEqual(refused("lapMs", refusal));
  });

  it("is that of no other statistic, and of no name that every object has", () => {
    expect(contributionOf(ruleFor({}), { points: 5 })).toEqual({ kind: "not-named" });
    expect(contributionOf(ruleFor({ statistic: "constructor" }), {})).toEqual({ kind: "not-named" });
    expect(contributionOf(ruleFor({ statistic: "constructor" }), { constructor: 5 })).toEqual(strength(5));
  });

  it("adds units to a sum, and one to a count whatever the number", () => {
    const sum = ruleFor({ aggregation: "sum", value: { min: -10, max: 10, decimals: 2 } });
    expect([1.25, -3].map((value) => taken(sum, value))).toEqual([125, -300].map(units));
    expect(taken(sum, 10.01)).toEqual(refused("lapMs", "out-of-range"));
    const count = ruleFor({ aggregation: "count", value: { min: 0, max: 10, decimals: 0 } });
    expect([-5.5, 1e300, 0].map((value) => taken(count, value))).toEqual([1, 1, 1].map(units));
    expect(taken(count, Number.NaN)).toEqual(refused("lapMs", "not-finite"));
  });
});

describe("the strength of several parts", () => {
  const rule = ruleFor({
    statistic: undefined,
    parts: [
      { statistic: "stars", order: "desc", bits: 8 },
      { statistic: "lapMs", order: "asc", bits: 25 },
    ],
  });

  it("compares the run as a whole, each part in its own order", () => {
    const runs = [
      { stars: 3, lapMs: 60_000 },
      { stars: 3, lapMs: 60_001 },
      { stars: 2, lapMs: 0 },
      { stars: 0, lapMs: 2 ** 25 - 1 },
    ];
    const strengths = runs
      .map((run) => contributionOf(rule, run))
      .map((each) =>
        each.kind === "taken" && each.contribution.kind === "strength" ? each.contribution.strength : -1,
      );
    expect(strengths).toEqual(strengths.toSorted((a, b) => b - a));
    expect(strengths.at(-1)).toBe(0);
    expect(strengths.map((each) => valuesOf(rule, each))).toEqual(runs);
    expect(Object.keys(valuesOf(rule, 0))).toEqual(["stars", "lapMs"]);
  });

  it("names each part that is refused or missing", () => {
    expect(contributionOf(rule, { stars: 256, lapMs: 0.5 })).toEqual({
      kind: "refused",
      refused: [
        { statistic: "stars", refusal: "out-of-range" },
        { statistic: "lapMs", refusal: "too-many-places" },
      ],
    });
    expect(contributionOf(rule, { stars: 1 })).toEqual(refused("lapMs", "missing"));
    expect(contributionOf(rule, { other: 1 })).toEqual({ kind: "not-named" });
  });

  it("says why in words", () => {
    const words = (statistic: string, refusal: "out-of-range" | "missing" | "too-many-places") =>
      refusalInWords("runs", rule, { statistic, refusal });
    expect(words("stars", "out-of-range")).toBe('must be from 0 to 255 on the board "runs"');
    expect(words("lapMs", "missing")).toBe('is required beside the other parts on the board "runs"');
    expect(words("lapMs", "too-many-places")).toBe('must be an integer on the board "runs"');
    const decimal = ruleFor({ value: { min: -1.5, max: 2.25, decimals: 2 } });
    expect(refusalInWords("laps", decimal, { statistic: "lapMs", refusal: "out-of-range" })).toBe(
      'must be from -1.5 to 2.25 on the board "laps"',
    );
  });
});
