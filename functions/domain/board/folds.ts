/**
 * How submissions of a player become the entry, one after the other under the lock of the player's row; and what Redis makes of
 * the entries that it is given in any order, some of them twice.
 */
import { lastTickOf, tickOf, type Packing } from "./packing.ts";
import type { BoardRule } from "./rule.ts";
import { strengthOfUnits, type Contribution } from "./strength.ts";

/** What a player has on a board. */
export type Standing = {
  readonly strength: number;
  /** When it was reached, in ticks of the period's packing; of boards given by `newer` also the entry's version. */
  readonly tick: number;
  /** The submission that counts: of totals the latest that changed them. */
  readonly by: Submitted;
};
/** `id` decides between submissions of one instant: ids are compared as text. */
export type Submitted = { readonly atMs: number; readonly id: string };

export type Folded =
  | { readonly kind: "changed" | "kept"; readonly standing: Standing }
  /** `period-full`: there is no later tick that the scores of the period hold. */
  | { readonly kind: "refused"; readonly reason: "total-out-of-range" | "period-full" };

/** How Redis takes an entry: where it is the greater score (ZADD GT), or where its time is the later one. */
export type Given = "raise" | "newer";

/** Of a board with `tie: "id"` scores hold no time, so only boards given by `raise` can have that. */
export function givenBy({ aggregation, order, low }: Pick<BoardRule, "aggregation" | "order" | "low">): Given {
  switch (aggregation) {
    case "best":
      return "raise";
    case "last":
      return "newer";
    case "sum":
      return order === "desc" && low >= 0 ? "raise" : "newer";
    case "count":
      return order === "desc" ? "raise" : "newer";
  }
}

const isLater = (a: Submitted, b: Submitted) => a.atMs > b.atMs || (a.atMs === b.atMs && a.id > b.id);

/** The next version of an entry that Redis takes by its time. */
function nextTick(packing: Packing, atMs: number, standing: Standing | undefined): number {
  const tick = tickOf(packing, atMs);
  return standing ? Math.max(tick, standing.tick + 1) : tick;
}

function versioned(packing: Packing, strength: number, by: Submitted, standing: Standing | undefined): Folded {
  const tick = nextTick(packing, by.atMs, standing);
  if (tick > lastTickOf(packing)) return { kind: "refused", reason: "period-full" };
  return { kind: "changed", standing: { strength, tick, by } };
}

function foldBest(packing: Packing, strength: number, by: Submitted, standing: Standing | undefined): Folded {
  const tick = tickOf(packing, by.atMs);
  const isBetter =
    !standing || strength > standing.strength || (strength === standing.strength && tick < standing.tick);
  return isBetter ? { kind: "changed", standing: { strength, tick, by } } : { kind: "kept", standing };
}

function foldLast(packing: Packing, strength: number, by: Submitted, standing: Standing | undefined): Folded {
  if (standing && !isLater(by, standing.by)) return { kind: "kept", standing };
  return versioned(packing, strength, by, standing);
}

/** Totals that only rise: who reached one first is who added last to it, so a zero has no say unless there are only zeros. */
function foldRising(
  packing: Packing,
  zero: number,
  strength: number,
  by: Submitted,
  standing: Standing | undefined,
): Folded {
  const tick = tickOf(packing, by.atMs);
  if (standing?.strength === strength) {
    const isEarlierZero = strength === zero && tick < standing.tick;
    return isEarlierZero ? { kind: "changed", standing: { strength, tick, by } } : { kind: "kept", standing };
  }
  const latest = standing && standing.strength !== zero && isLater(standing.by, by) ? standing.by : by;
  return { kind: "changed", standing: { strength, tick: tickOf(packing, latest.atMs), by: latest } };
}

function foldTotal(
  rule: BoardRule,
  packing: Packing,
  units: number,
  by: Submitted,
  standing: Standing | undefined,
): Folded {
  const zero = strengthOfUnits(rule, 0);
  const strength = (standing?.strength ?? zero) + (rule.order === "desc" ? units : -units);
  if (strength < 0 || strength > rule.high - rule.low) return { kind: "refused", reason: "total-out-of-range" };
  if (givenBy(rule) === "raise") return foldRising(packing, zero, strength, by, standing);
  return standing && units === 0 ? { kind: "kept", standing } : versioned(packing, strength, by, standing);
}

/** The player's entry after one more submission of the period. */
export function fold(
  rule: BoardRule,
  packing: Packing,
  standing: Standing | undefined,
  contribution: Contribution,
  by: Submitted,
): Folded {
  if (contribution.kind === "units") return foldTotal(rule, packing, contribution.units, by, standing);
  const foldStrength = rule.aggregation === "last" ? foldLast : foldBest;
  return foldStrength(packing, contribution.strength, by, standing);
}
