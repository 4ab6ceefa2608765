/** Values and strengths: what clients see, and what is stored and compared. A strength is 0 … 2^V − 1, larger is better. */
import { decimalUnits, valueOfUnits } from "./decimal.ts";
import type { BoardRule, Order } from "./rule.ts";

export type ValueRefusal = "not-finite" | "too-many-places" | "out-of-range";

/** `statistic`: the one that is refused, or that is not there (`missing`: a board of parts takes all of them or none). */
export type Refused = { readonly statistic: string; readonly refusal: ValueRefusal | "missing" };

/** What a submission brings to a board. */
export type Contribution =
  /** Of `best` and `last`: the strength of the value. */
  | { readonly kind: "strength"; readonly strength: number }
  /** Of `sum` and `count`: what is added to the total, in units of the last place. */
  | { readonly kind: "units"; readonly units: number };

export type Taken =
  | { readonly kind: "taken"; readonly contribution: Contribution }
  | { readonly kind: "refused"; readonly refused: readonly Refused[] }
  /** The submission does not name the board's statistic. */
  | { readonly kind: "not-named" };

/** A value in units of the last place, within bounds. */
function boundedUnits(value: number, decimals: number, low: number, high: number): number | ValueRefusal {
  if (!Number.isFinite(value)) return "not-finite";
  const units = decimalUnits(value, decimals);
  if (units === undefined) return "too-many-places";
  return units < low || units > high ? "out-of-range" : units;
}

/** The strength among values from `low` to `high`; the same function leads back. */
const strengthWithin = (order: Order, units: number, low: number, high: number) =>
  order === "desc" ? units - low : high - units;

/** The strength of a total or value in units of the last place, and back. */
export const strengthOfUnits = ({ order, low, high }: BoardRule, units: number): number =>
  strengthWithin(order, units, low, high);
const unitsOfStrength = ({ order, low, high }: BoardRule, strength: number): number =>
  order === "desc" ? strength + low : high - strength;

type Values = Readonly<Record<string, number>>;
/** The client chooses the names: `constructor` is a value only where it is sent. */
const valueNamed = (values: Values, statistic: string) =>
  Object.hasOwn(values, statistic) ? values[statistic] : undefined;

function takeParts(parts: NonNullable<BoardRule["parts"]>, values: Values): Taken {
  if (parts.every(({ statistic }) => valueNamed(values, statistic) === undefined)) return { kind: "not-named" };
  const refused: Refused[] = [];
  let strength = 0;
  for (const { statistic, order, bits } of parts) {
    const value = valueNamed(values, statistic);
    const units = value === undefined ? "missing" : boundedUnits(value, 0, 0, 2 ** bits - 1);
    if (typeof units === "string") refused.push({ statistic, refusal: units });
    else strength = strength * 2 ** bits + strengthWithin(order, units, 0, 2 ** bits - 1);
  }
  return refused.length > 0
    ? { kind: "refused", refused }
    : { kind: "taken", contribution: { kind: "strength", strength } };
}

function takeValue(rule: BoardRule, value: number): Contribution | ValueRefusal {
  if (rule.aggregation === "count") return Number.isFinite(value) ? { kind: "units", units: 1 } : "not-finite";
  const units = boundedUnits(value, rule.decimals, rule.low, rule.high);
  if (typeof units === "string") return units;
  return rule.aggregation === "sum"
    ? { kind: "units", units }
    : { kind: "strength", strength: strengthOfUnits(rule, units) };
}

/** What a submission with these values brings to a board: exact, never rounded, never clamped. */
export function contributionOf(rule: BoardRule, values: Values): Taken {
  if (rule.parts) return takeParts(rule.parts, values);
  const statistic = rule.statistic ?? "";
  const value = valueNamed(values, statistic);
  if (value === undefined) return { kind: "not-named" };
  const taken = takeValue(rule, value);
  return typeof taken === "string"
    ? { kind: "refused", refused: [{ statistic, refusal: taken }] }
    : { kind: "taken", contribution: taken };
}

/** The strength of a value of a board without parts, as a reader asks for its place. Of sum and count: of a total. */
export function strengthOf(rule: BoardRule, value: number): number | ValueRefusal {
  const units = boundedUnits(value, rule.decimals, rule.low, rule.high);
  return typeof units === "string" ? units : strengthOfUnits(rule, units);
}

/** The value of a strength. Of a board of parts: the strength itself; `valuesOf` has the parts. */
export const valueOf = (rule: BoardRule, strength: number): number =>
  rule.parts ? strength : valueOfUnits(unitsOfStrength(rule, strength), rule.decimals);

/** The values of a strength by statistic. */
export function valuesOf(rule: BoardRule, strength: number): Record<string, number> {
  if (!rule.parts) return { [rule.statistic ?? ""]: valueOf(rule, strength) };
  let rest = strength;
  const found = rule.parts.toReversed().map(({ statistic, order, bits }): [string, number] => {
    const among = 2 ** bits;
    const part = rest % among;
    rest = (rest - part) / among;
    return [statistic, strengthWithin(order, part, 0, among - 1)];
  });
  return Object.fromEntries(found.reverse());
}

const IN_WORDS: Readonly<Record<Exclude<Refused["refusal"], "out-of-range">, (rule: BoardRule) => string>> = {
  "not-finite": () => "must be a finite number",
  "too-many-places": ({ parts, decimals }) =>
    parts || decimals === 0 ? "must be an integer" : `must have at most ${decimals} decimal places`,
  missing: () => "is required beside the other parts",
};

/** Why a board does not take a value, in words that may be shown. */
export function refusalInWords(board: string, rule: BoardRule, { statistic, refusal }: Refused): string {
  if (refusal !== "out-of-range") return `${IN_WORDS[refusal](rule)} on the board "${board}"`;
  const part = rule.parts?.find((each) => each.statistic === statistic);
  const [low, high] = part ? [0, 2 ** part.bits - 1] : [rule.low, rule.high];
  const decimals = part ? 0 : rule.decimals;
  return `must be from ${valueOfUnits(low, decimals)} to ${valueOfUnits(high, decimals)} on the board "${board}"`;
}
