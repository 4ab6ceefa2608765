/** A definition as submissions need it: in `games.boards`, which the submit statement reads anyway. */
import type { BoardDefinition } from "../../contract/board-definitions.ts";
import { ruleOf, type BoardRule } from "./rule.ts";
import type { Turns } from "./turns.ts";

export type CompiledBoard = BoardRule & {
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

/** The compiled form of a definition that the contract has checked. */
export const compile = ({ board, name, revision, rule, turns }: Source): CompiledBoard => ({
  id: board,
  name,
  revision,
  ...ruleOf(rule),
  segments: rule.segments,
  metadataBytes: rule.metadata.maxBytes,
  graceSeconds: rule.graceSeconds,
  answer: rule.answer,
  live: rule.live,
  retentionDays: rule.retentionDays,
  schedules: turns,
});
