/** Versions of top 10s, made of what a board shows: the same rule as `version_of` in lua/src/shared/versions.lua. */
import type { Board } from "./board.ts";
import { ALL_TIME_EPOCH, ALL_TIME_SECONDS, WEEK_TIME_UNIT } from "./score.ts";

/** The first ten entries of a board, summed up. */
export type TopSum = {
  /** When a moderator last took something off the game's boards, microseconds; 1: never. */
  readonly moderated: string;
  readonly entries: number;
  readonly points: number;
  /** Unix seconds. */
  readonly seconds: number;
  /** Entries of the whole board that are not behind the last of the ten by points and second. */
  readonly reached: number;
};

/** What a version has room for. */
const MOST_REACHED = 99_999_999;
const DIGITS = { high: 11, low: 10, reached: 8 };

/** The version of a whole board. Docs/healing.md has the argument why versions order boards. */
export function versionOf(sum: TopSum, { period }: Board): string {
  if (sum.entries === 0 && sum.moderated === "1") return "0";
  const [unit, start] = period ? [WEEK_TIME_UNIT, period.startsAtMs / 1000] : [ALL_TIME_SECONDS, ALL_TIME_EPOCH];
  const inverted = sum.entries * (unit - 1 + start) - sum.seconds;
  const high = String(sum.points + Math.floor(inverted / unit)).padStart(DIGITS.high, "0");
  const low = String(inverted % unit).padStart(DIGITS.low, "0");
  return sum.moderated + high + low + String(Math.min(MOST_REACHED, sum.reached)).padStart(DIGITS.reached, "0");
}
