/** Rules of a definition that go across its fields. */
import { decimalUnits, MOST_DECIMAL_UNITS } from "./decimal.ts";
import { givenBy } from "./folds.ts";

/** What a board's values are when the definition does not say. */
export const DEFAULT_VALUE = { min: 0, max: 8_589_934_591, decimals: 0 } as const;

/** Names that stand for something else in addresses. */
export const RESERVED_BOARDS: readonly string[] = ["current", "all-time", "weekly", "previous"];

/** With more bits of value, the time has too few to tell who came first. */
const MOST_BITS_WITH_TIME = 43;
const MOST_BITS = 53;

type Order = "asc" | "desc";
type Checked = {
  readonly statistic?: string | undefined;
  readonly parts?: readonly { readonly statistic: string; readonly order: Order; readonly bits: number }[] | undefined;
  readonly order: Order;
  readonly aggregation: "best" | "last" | "sum" | "count";
  readonly value: { readonly min: number; readonly max: number; readonly decimals: number };
  readonly tie: "earliest" | "id";
  readonly segments: readonly string[];
  readonly answer: { readonly segmentRanks: readonly string[] };
};

export type DefinitionProblem = { readonly path: readonly (string | number)[]; readonly detail: string };
const problem = (detail: string, ...path: (string | number)[]): DefinitionProblem => ({ path, detail });

function valueProblems({ value: { min, max, decimals }, parts }: Checked): DefinitionProblem[] {
  if (parts) {
    const isDefault = min === DEFAULT_VALUE.min && max === DEFAULT_VALUE.max && decimals === DEFAULT_VALUE.decimals;
    return isDefault ? [] : [problem("is bounded by the bits of each part", "value")];
  }
  const [low, high] = [decimalUnits(min, decimals), decimalUnits(max, decimals)];
  if (low === undefined) return [problem(`must have at most ${decimals} decimal places`, "value", "min")];
  if (high === undefined) return [problem(`must have at most ${decimals} decimal places`, "value", "max")];
  if (!Number.isSafeInteger(low))
    return [problem("must be -(2^53-1) or more in its last decimal place", "value", "min")];
  if (!Number.isSafeInteger(high)) return [problem("must be 2^53-1 or less in its last decimal place", "value", "max")];
  const long = (
    [
      ["min", low],
      ["max", high],
    ] as const
  ).find(([, units]) => decimals > 0 && Math.abs(units) > MOST_DECIMAL_UNITS);
  if (long) return [problem("must have at most 15 digits, its decimal places among them", "value", long[0])];
  return high <= low ? [problem("must be more than `min`", "value", "max")] : [];
}

/** The strength of the best value. */
function mostStrength({ value: { min, max, decimals }, parts }: Checked): number {
  if (parts) return 2 ** parts.reduce((bits, part) => bits + part.bits, 0) - 1;
  return (decimalUnits(max, decimals) ?? 0) - (decimalUnits(min, decimals) ?? 0);
}

function rangeProblems(checked: Checked): DefinitionProblem[] {
  const [most, at] = [mostStrength(checked), checked.parts ? "parts" : "value"];
  if (most >= 2 ** MOST_BITS) return [problem("must tell apart at most 2^53 values", at)];
  if (most >= 2 ** MOST_BITS_WITH_TIME && checked.tie === "earliest")
    return [problem('must be "id": more than 2^43 values leave no room for the time', "tie")];
  return [];
}

function statisticProblems({ statistic, parts, aggregation, order }: Checked): DefinitionProblem[] {
  if ((statistic === undefined) === (parts === undefined))
    return [problem("is required, or else `parts`; not both", "statistic")];
  if (!parts) return [];
  const named = parts.map((part) => part.statistic);
  const twice = named.findIndex((name, i) => named.indexOf(name) < i);
  return [
    ...(twice < 0 ? [] : [problem("must not be named twice", "parts", twice, "statistic")]),
    ...(aggregation === "sum" || aggregation === "count"
      ? [problem('must be "best" or "last" for a board of parts', "aggregation")]
      : []),
    ...(order === "asc" ? [problem("is said by each part", "order")] : []),
  ];
}

function countProblems({ aggregation, order, value }: Checked): DefinitionProblem[] {
  if (aggregation !== "count") return [];
  return [
    ...(order === "asc" ? [problem('must be "desc" for a count', "order")] : []),
    ...(value.decimals > 0 ? [problem("must be 0 for a count", "value", "decimals")] : []),
    ...(value.min < 0 ? [problem("must be 0 or more for a count", "value", "min")] : []),
    ...(value.min > 1 ? [problem("must be 1 or less for a count, which begins with 1", "value", "min")] : []),
  ];
}

/** What tells the newer of two results of a player is their time: without one in its scores a board has results that only rise. */
function tieProblems({ aggregation, order, value, tie }: Checked): DefinitionProblem[] {
  if (tie === "earliest" || givenBy({ aggregation, order, low: value.min }) === "raise") return [];
  return [problem('must be "earliest" where results can get worse: the time tells which one is newer', "tie")];
}

function segmentProblems({ segments, answer: { segmentRanks } }: Checked): DefinitionProblem[] {
  const twice = segments.findIndex((name, i) => segments.indexOf(name) < i);
  const rankTwice = segmentRanks.findIndex((name, i) => segmentRanks.indexOf(name) < i);
  const unknown = segmentRanks.findIndex((name) => !segments.includes(name));
  return [
    ...(twice < 0 ? [] : [problem("must not be named twice", "segments", twice)]),
    ...(rankTwice < 0 ? [] : [problem("must not be named twice", "answer", "segmentRanks", rankTwice)]),
    ...(unknown < 0 ? [] : [problem("must be one of `segments`", "answer", "segmentRanks", unknown)]),
  ];
}

/** What is wrong with a definition whose fields are all right one by one. */
export function definitionProblems(checked: Checked): DefinitionProblem[] {
  const values = valueProblems(checked);
  return [
    ...statisticProblems(checked),
    ...values,
    ...(values.length === 0 ? rangeProblems(checked) : []),
    ...countProblems(checked),
    ...tieProblems(checked),
    ...segmentProblems(checked),
  ];
}
