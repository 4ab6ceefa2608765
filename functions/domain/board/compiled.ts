/** A definition as submissions need it: in `games.boards`, which the submit statement reads anyway. */
import type { BoardDefinition } from "../../contract/board-definitions.ts";
import { givenBy } from "./folds.ts";
import { ruleOf, type BoardRule } from "./rule.ts";
import { strengthOfUnits } from "./strength.ts";
import type { Turns } from "./turns.ts";

/** How entries are folded, as drizzle/functions/fold_round_v1.sql names it: totals that only rise, and those that may also fall. */
export type Fold = "best" | "last" | "rising" | "total";

export type CompiledBoard = BoardRule & {
  readonly fold: Fold;
  /** The strengths of an empty total and of the best value. */
  readonly zero: number;
  readonly most: number;
  readonly id: string;
  /** `boards.name`: what keys of entries and rows of periods begin with. */
  readonly name: string;
  /** Of the definition: rows of periods are written for this one only. */
  readonly revision: number;
  readonly segments: readonly string[];
  /** 0: the board keeps no metadata. */
  readonly metadataBytes: number;
  readonly graceSeconds: number;
  readonly answer: { readonly rank: boolean; readonly segmentRanks: readonly string[] };
  readonly live: boolean;
  readonly retentionDays: number;
  readonly schedules: Turns;
};

type Source = {
  readonly board: string;
  readonly name: string;
  readonly revision: number;
  readonly rule: BoardDefinition;
  readonly turns: Turns;
};

function foldOf(rule: BoardRule): Fold {
  if (rule.aggregation === "best" || rule.aggregation === "last") return rule.aggregation;
  return givenBy(rule) === "raise" ? "rising" : "total";
}

/** What of a rule is computed once. */
const computed = (rule: BoardRule) => ({
  ...rule,
  fold: foldOf(rule),
  zero: strengthOfUnits(rule, 0),
  most: rule.high - rule.low,
});

/** The compiled form of a definition that the contract has checked. */
export const compile = ({ board, name, revision, rule, turns }: Source): CompiledBoard => ({
  id: board,
  name,
  revision,
  ...computed(ruleOf(rule)),
  segments: rule.segments,
  metadataBytes: rule.metadata.maxBytes,
  graceSeconds: rule.graceSeconds,
  answer: rule.answer,
  live: rule.live,
  retentionDays: rule.retentionDays,
  schedules: turns,
});
