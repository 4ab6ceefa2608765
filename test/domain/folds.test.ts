import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold, givenBy, type Folded, type Standing, type Submitted } from "../../functions/domain/board/folds.ts";
import { lastTickOf, packStrength, unpackStrength, type Packing } from "../../functions/domain/board/packing.ts";
import { packingOf, type BoardRule } from "../../functions/domain/board/rule.ts";
import { contributionOf, valueOf } from "../../functions/domain/board/strength.ts";
import { ruleFor } from "./rules.ts";

const PERIOD = { startsAtMs: 1_000_000, endsAtMs: 1_000_000 + 86_400_000 };
type Submission = { readonly value: number; readonly atMs: number; readonly id: string };

function foldOne(
  rule: BoardRule,
  packing: Packing,
  standing: Standing | undefined,
  { value, ...by }: Submission,
): Folded {
  const taken = contributionOf(rule, { lapMs: value });
  if (taken.kind !== "taken") throw new Error(`refused: ${value}`);
  return fold(rule, packing, standing, taken.contribution, by);
}

/** The entries that a player had one after the other, as Redis is given them. */
function history(rule: BoardRule, submissions: readonly Submission[]): Standing[] {
  const packing = packingOf(rule, PERIOD);
  const standings: Standing[] = [];
  for (const submission of submissions) {
    const folded = foldOne(rule, packing, standings.at(-1), submission);
    if (folded.kind === "changed") standings.push(folded.standing);
  }
  return standings;
}

const finalOf = (rule: BoardRule, submissions: readonly Submission[]) => history(rule, submissions).at(-1);

/** What Redis holds after it was given these scores: ZADD GT, or ZADD where the time is later. */
function held(rule: BoardRule, scores: readonly number[]): number | undefined {
  const packing = packingOf(rule, PERIOD);
  const version = (score: number) => unpackStrength(packing, score).tick ?? -1;
  const replaces = (score: number, old: number) =>
    givenBy(rule) === "raise" ? score > old : version(score) > version(old);
  return scores.reduce<number | undefined>(
    (old, score) => (old === undefined || replaces(score, old) ? score : old),
    undefined,
  );
}

const at = (value: number, second: number, id = `s${second}`): Submission => ({
  value,
  atMs: PERIOD.startsAtMs + second * 1000,
  id,
});
/** Value and second of what a player has in the end. */
const outcome = (rule: BoardRule, submissions: readonly Submission[]) => {
  const standing = finalOf(rule, submissions);
  return standing && [valueOf(rule, standing.strength), standing.tick];
};

const RULES: Readonly<Record<string, BoardRule>> = {
  "best of more": ruleFor({ value: { min: -20, max: 20, decimals: 1 } }),
  "best of less": ruleFor({ order: "asc", value: { min: -20, max: 20, decimals: 0 } }),
  "best by id": ruleFor({ tie: "id", value: { min: -20, max: 20, decimals: 0 } }),
  last: ruleFor({ aggregation: "last", value: { min: -20, max: 20, decimals: 0 } }),
  sum: ruleFor({ aggregation: "sum", value: { min: 0, max: 60, decimals: 0 } }),
  "signed sum": ruleFor({ aggregation: "sum", value: { min: -20, max: 20, decimals: 0 } }),
  "sum of less": ruleFor({ aggregation: "sum", order: "asc", value: { min: 0, max: 60, decimals: 0 } }),
  count: ruleFor({ aggregation: "count", value: { min: 0, max: 6, decimals: 0 } }),
};

const second = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 86_399 }));
const submissions = (least: number) =>
  fc
    .array(fc.tuple(fc.integer({ min: least, max: 20 }), second), { maxLength: 12 })
    .map((list) => list.map(([value, when], i) => at(value, when, `s${i}`)));

describe.each(Object.entries(RULES))("what Redis holds of a board of %s", (_, rule) => {
  const packing = packingOf(rule, PERIOD);
  const scores = submissions(rule.low < 0 ? -20 : 0).map((list) =>
    history(rule, list).map(({ strength, tick }) => packStrength(packing, strength, tick)),
  );

  it("is the player's entry, in whatever order and however often it was given", () => {
    const given = scores.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.tuple(fc.shuffledSubarray(list, { minLength: list.length }), fc.subarray(list)).map((parts) => parts.flat()),
      ),
    );
    fc.assert(
      fc.property(given, ([inOrder, shuffled]) => {
        expect(held(rule, shuffled)).toBe(inOrder.at(-1));
      }),
      { numRuns: 400 },
    );
  });
});

describe("the entry of a board", () => {
  it.each(["best of more", "best of less", "sum", "count"])(
    "of %s is the same in whatever order submissions come",
    (name) => {
      const rule = RULES[name] ?? ruleFor({});
      const few = submissions(0).map((list) => list.slice(0, rule.aggregation === "sum" ? 3 : 6));
      fc.assert(
        fc.property(
          few.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
          ([list, shuffled]) => {
            expect(outcome(rule, shuffled)).toEqual(outcome(rule, list));
          },
        ),
        { numRuns: 400 },
      );
    },
  );

  it("of `best` is the greater strength, and of equal ones the earlier", () => {
    const rule = ruleFor({ order: "asc" });
    expect(outcome(rule, [at(500, 9), at(400, 20), at(450, 5), at(400, 30), at(400, 12)])).toEqual([400, 12_000]);
  });

  it("of `last` is the later submission, whichever came first, and of one instant the greater id", () => {
    const rule = ruleFor({ aggregation: "last" });
    expect(outcome(rule, [at(5, 10), at(9, 3)])).toEqual([5, 10_000]);
    expect(outcome(rule, [at(5, 10, "b"), at(9, 10, "a")])).toEqual([5, 10_000]);
    // A step later than the first, so that Redis tells the newer one.
    expect(outcome(rule, [at(9, 10, "a"), at(5, 10, "b")])).toEqual([5, 10_001]);
  });

  it("of `sum` has the time of the latest contribution that changed the total", () => {
    const rule = ruleFor({ aggregation: "sum" });
    expect(outcome(rule, [at(5, 10), at(3, 2), at(0, 50)])).toEqual([8, 10_000]);
    expect(outcome(rule, [at(0, 50), at(5, 10)])).toEqual([5, 10_000]);
    expect(outcome(rule, [at(0, 50), at(0, 20), at(0, 60)])).toEqual([0, 20_000]);
    expect(finalOf(rule, [at(5, 10), at(3, 2)])?.by).toEqual<Submitted>({
      atMs: PERIOD.startsAtMs + 10_000,
      id: "s10",
    });
  });

  it("of a signed sum falls, too, and each change is a step newer", () => {
    const rule = RULES["signed sum"] ?? ruleFor({});
    expect(outcome(rule, [at(5, 10), at(-8, 2), at(0, 90)])).toEqual([-3, 10_001]);
  });

  it("of a sum where less is better weakens", () => {
    expect(outcome(RULES["sum of less"] ?? ruleFor({}), [at(4, 1), at(3, 2)])).toEqual([7, 2_000]);
  });

  it("of `count` is how many came", () => {
    expect(outcome(ruleFor({ aggregation: "count" }), [at(4, 1), at(-3, 9), at(0, 2)])).toEqual([3, 9_000]);
  });

  it.each([
    ["sum", [at(40, 1), at(20, 2)], at(1, 3)],
    ["signed sum", [at(-20, 1)], at(-1, 3)],
    ["sum of less", [at(60, 1)], at(1, 3)],
    ["count", [1, 2, 3, 4, 5, 6].map((i) => at(1, i)), at(1, 7)],
  ] as const)("of %s takes no contribution that leaves the bounds", (name, before, next) => {
    const rule = RULES[name] ?? ruleFor({});
    expect(foldOne(rule, packingOf(rule, PERIOD), finalOf(rule, before), next)).toEqual({
      kind: "refused",
      reason: "total-out-of-range",
    });
  });

  it("takes no change that scores have no later time for", () => {
    const rule = ruleFor({ aggregation: "last" });
    const packing = packingOf(rule, PERIOD);
    const by = { atMs: PERIOD.startsAtMs, id: "a" };
    const last = { strength: 1, tick: lastTickOf(packing), by };
    expect(foldOne(rule, packing, last, at(2, 10))).toEqual({ kind: "refused", reason: "period-full" });
  });
});
