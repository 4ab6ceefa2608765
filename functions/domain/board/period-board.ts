/**
 * A board that a game defined, in one of its periods: what entries are on, in Postgres and in Redis. `points` of its entries are
 * strengths (strength.ts). Instants are unix milliseconds.
 */
import type { RawEntry } from "./board.ts";
import type { CompiledBoard, Fold } from "./compiled.ts";
import type { Given } from "./folds.ts";
import { instantOf, packStrength, textOf, tickOf, unpackStrength, type Packing } from "./packing.ts";
import { ENDLESS } from "./rule.ts";

export type PeriodBoard = {
  /** The board key: `laps.2026-10-14`, `song~track-88.all`. It begins with `boards.name`. */
  readonly key: string;
  readonly board: CompiledBoard;
  readonly packing: Packing;
  readonly endsAtMs: number;
};

/** A part of a board: `{ segment: "platform", value: "ios" }`. */
export type Part = { readonly segment: string; readonly value: string };

/** A row of `periods`: the unit of time that was chosen when it was written stays. */
type Bounds = { readonly startsAtMs: number; readonly endsAtMs: number; readonly unitMs: number };

const DAY_MS = 86_400_000;

export const periodBoardOf = (
  board: CompiledBoard,
  key: string,
  { startsAtMs, endsAtMs, unitMs }: Bounds,
): PeriodBoard => ({
  key,
  board,
  packing: { split: board.split, timed: board.tie === "earliest", startsAtMs, unitMs },
  endsAtMs,
});

const GIVEN: Readonly<Record<Fold, Given>> = { best: "raise", rising: "raise", last: "newer", total: "newer" };

/** How Redis takes its entries. */
export const givenTo = ({ board }: PeriodBoard): Given => GIVEN[board.fold];

/** When Redis drops it, so that Postgres alone has it; undefined: never. */
export const expiryOf = ({ board, endsAtMs }: PeriodBoard): number | undefined =>
  endsAtMs >= ENDLESS.endsAtMs ? undefined : endsAtMs + board.retentionDays * DAY_MS;

/** Whether Redis has it at `nowMs`. */
export const isKept = (board: PeriodBoard, nowMs: number): boolean =>
  (expiryOf(board) ?? Number.POSITIVE_INFINITY) > nowMs;

/** The score of an entry in the board's sorted set, as text that every Lua reads. */
export const entryText = ({ packing }: PeriodBoard, { points, achievedAtMs }: Omit<RawEntry, "player">): string =>
  textOf(packStrength(packing, points, tickOf(packing, achievedAtMs)));

/** The entry of a score. A board that ranks equal strengths by id knows no times: its entries have that of its beginning. */
export function entryOf({ packing }: PeriodBoard, player: string, score: number): RawEntry {
  const { strength, tick } = unpackStrength(packing, score);
  return { player, points: strength, achievedAtMs: instantOf(packing, tick ?? 0) };
}

/** `laps.2026-10-14:platform=ios`: a part of a board in one word, as keys of Redis end. */
export const partLabelOf = (key: string, { segment, value }: Part): string => `${key}:${segment}=${value}`;

/** Whether a label is of a board that the game defined: the names of others have no dot. */
export const isPeriodLabel = (label: string): boolean => label.includes(".");

/** Below 0 when `score` is behind `wanted`: less, or of boards given by `newer` earlier, or of the same time and another strength. */
export function compareScores(board: PeriodBoard, score: number, wanted: number): number {
  if (givenTo(board) === "raise") return score - wanted;
  const [own, other] = [
    unpackStrength(board.packing, score).tick ?? 0,
    unpackStrength(board.packing, wanted).tick ?? 0,
  ];
  return own - other || (score === wanted ? 0 : -1);
}
