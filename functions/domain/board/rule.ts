/** A board's rule as submissions need it: which statistic counts, how its values become strengths, and how they are packed. */
import { decimalUnits } from "./decimal.ts";
import { splitOf, unitMsOf, type Packing, type Split } from "./packing.ts";
import { EARLIEST_MS, LATEST_MS } from "./score.ts";

export type Order = "asc" | "desc";
export type Aggregation = "best" | "last" | "sum" | "count";
/** `bits`: its values are 0 … 2^bits − 1. */
export type Part = { readonly statistic: string; readonly order: Order; readonly bits: number };

/** The parts of a definition that say what an entry means. */
export type RuleDefinition = {
  readonly statistic?: string | undefined;
  /** The most significant one first. */
  readonly parts?: readonly Part[] | undefined;
  readonly order: Order;
  readonly aggregation: Aggregation;
  readonly value: { readonly min: number; readonly max: number; readonly decimals: number };
  readonly tie: "earliest" | "id";
  readonly keyed: boolean;
};

export type BoardRule = {
  /** Null: the board has parts. */
  readonly statistic: string | null;
  readonly parts: readonly Part[] | null;
  readonly order: Order;
  readonly aggregation: Aggregation;
  readonly tie: "earliest" | "id";
  readonly keyed: boolean;
  readonly decimals: number;
  /** `min` and `max` in units of the last place. */
  readonly low: number;
  readonly high: number;
  readonly split: Split;
};

/** Of a bound that the contract has checked. */
function boundOf(value: number, decimals: number): number {
  const units = decimalUnits(value, decimals);
  if (units === undefined) throw new RangeError(`no bound: ${value}`);
  return units;
}

const bitsOf = (parts: readonly Part[]) => parts.reduce((sum, { bits }) => sum + bits, 0);

/** The rule of a definition that the contract has checked. Parts are bounded by their bits alone. */
export function ruleOf({ statistic, parts, order, aggregation, value, tie, keyed }: RuleDefinition): BoardRule {
  const low = parts ? 0 : boundOf(value.min, value.decimals);
  const high = parts ? 2 ** bitsOf(parts) - 1 : boundOf(value.max, value.decimals);
  return {
    statistic: statistic ?? null,
    parts: parts ?? null,
    order,
    aggregation,
    tie,
    keyed,
    decimals: value.decimals,
    low,
    high,
    split: splitOf(high - low),
  };
}

/** The period of a board that never ends, as scores see it: until 2058-01-10. Unix milliseconds. */
export const ENDLESS = { startsAtMs: EARLIEST_MS, endsAtMs: LATEST_MS + 1000 } as const;

/** How the scores of a period are packed; a bound that it does not have may be infinite. */
export function packingOf(
  { split, tie }: Pick<BoardRule, "split" | "tie">,
  period: { readonly startsAtMs: number; readonly endsAtMs: number },
): Packing {
  const startsAtMs = Number.isFinite(period.startsAtMs) ? period.startsAtMs : ENDLESS.startsAtMs;
  const endsAtMs = Number.isFinite(period.endsAtMs) ? period.endsAtMs : ENDLESS.endsAtMs;
  return { split, timed: tie === "earliest", startsAtMs, unitMs: unitMsOf(split, endsAtMs - startsAtMs) };
}

/** What an entry's meaning depends on: it no longer changes once a board has one. */
export type RulePart = keyof RuleDefinition;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const partsOf = ({ parts }: BoardRule) => parts?.map(({ statistic, order, bits }) => [statistic, order, bits]);
const valueOf = ({ low, high, decimals }: BoardRule) => [low, high, decimals];

/** The parts in which two rules of a board differ. */
export function changeOf(before: BoardRule, after: BoardRule): RulePart[] {
  const same: Readonly<Record<RulePart, boolean>> = {
    statistic: before.statistic === after.statistic,
    parts: isSame(partsOf(before), partsOf(after)),
    order: before.order === after.order,
    aggregation: before.aggregation === after.aggregation,
    // What bounds parts is their bits.
    value: (before.parts && after.parts) !== null || isSame(valueOf(before), valueOf(after)),
    tie: before.tie === after.tie,
    keyed: before.keyed === after.keyed,
  };
  const all = ["statistic", "parts", "order", "aggregation", "value", "tie", "keyed"] as const satisfies RulePart[];
  return all.filter((part) => !same[part]);
}
