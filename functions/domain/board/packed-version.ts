/** Versions of boards that games define: the same rule as lua/src/defined/versions.lua. */
import { ticksOf, type Split } from "./packing.ts";

/** The first ten entries of a board given by `raise`, summed up. */
export type PackedTopSum = {
  /** When a moderator last took something off the game's boards, microseconds; 1: never. */
  readonly moderated: string;
  readonly entries: number;
  /** Of the ten strengths: more than a double holds. */
  readonly strengths: bigint;
  /** Of the ten inverted ticks: last tick − tick. */
  readonly inverted: number;
  /** Entries of the whole board that are not behind the last of the ten by strength and time. */
  readonly reached: number;
};

/** Of a board given by `newer`. */
export type ChangesSum = {
  readonly moderated: string;
  /** Of the whole board. */
  readonly entries: number;
  /** The sum of tick + 1 over all entries. */
  readonly changes: bigint;
};

const MOST_REACHED = 99_999_999;
const DIGITS = { strengths: 17, inverted: 10, reached: 8, changes: 17 };

/** The version of a whole board that is given by `raise`. */
export function packedVersionOf(sum: PackedTopSum, split: Split): string {
  if (sum.entries === 0 && sum.moderated === "1") return "0";
  const unit = ticksOf(split);
  const strengths = String(sum.strengths + BigInt(Math.floor(sum.inverted / unit))).padStart(DIGITS.strengths, "0");
  const inverted = String(sum.inverted % unit).padStart(DIGITS.inverted, "0");
  const reached = String(Math.min(MOST_REACHED, sum.reached)).padStart(DIGITS.reached, "0");
  return sum.moderated + strengths + inverted + reached;
}

/** The version of a whole board that is given by `newer`. */
export const changesVersionOf = ({ moderated, entries, changes }: ChangesSum): string =>
  entries === 0 && moderated === "1" ? "0" : moderated + String(changes).padStart(DIGITS.changes, "0");
