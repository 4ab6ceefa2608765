/**
 * The packed sorted-set scores, the same rules as lua/src/shared/scores.lua keeps.
 * The library packs and unpacks what players send and read; rebuilding packs here, and doctor and tests compare.
 */
import type { Board, RawEntry } from "./board.ts";
import { packBits, textOf } from "./packing.ts";

export const MAX_POINTS = 2 ** 33 - 1;

/** The part of a weekly score that is time. */
export const WEEK_TIME_UNIT = 2 ** 20;
/** 2024-01-01T00:00:00Z, second 0 of the all-time score. */
export const ALL_TIME_EPOCH = 1_704_067_200;
/** Seconds that the all-time score tells apart. */
export const ALL_TIME_SECONDS = 2 ** 30;

/**
 * Weekly score of `points` reached `secondsIntoWeek` seconds after the week's Monday 00:00Z.
 * An exact integer below 2^53; more points first, then the earlier second.
 */
export function weeklyScore(points: number, secondsIntoWeek: number): number {
  return points * WEEK_TIME_UNIT + (WEEK_TIME_UNIT - 1 - secondsIntoWeek);
}

/**
 * All-time score of `points` reached at `unixSecond`: 33 bits of points and 30 bits of inverted time (packing.ts). The order is
 * exact until 2058-01-10.
 */
export const allTimeScore = (points: number, unixSecond: number): number =>
  packBits(33, points, ALL_TIME_SECONDS - 1 - (unixSecond - ALL_TIME_EPOCH));

/** First and last moment that every board can hold: whole seconds, unix milliseconds. */
export const EARLIEST_MS = ALL_TIME_EPOCH * 1000;
export const LATEST_MS = (ALL_TIME_EPOCH + ALL_TIME_SECONDS - 1) * 1000;

type Packed = Omit<RawEntry, "player">;

/** The score that an entry has in the board's sorted set. */
export const packScore = ({ period }: Board, { points, achievedAtMs }: Packed): number =>
  period ? weeklyScore(points, (achievedAtMs - period.startsAtMs) / 1000) : allTimeScore(points, achievedAtMs / 1000);

/** The same as text that every Lua reads. */
export const packText = (board: Board, entry: Packed): string =>
  board.period ? String(packScore(board, entry)) : textOf(packScore(board, entry));

/** First and last second of entries that a board can hold. */
export const rangeOf = ({ period }: Board): { readonly firstMs: number; readonly lastMs: number } =>
  period ? { firstMs: period.startsAtMs, lastMs: period.endsAtMs - 1000 } : { firstMs: EARLIEST_MS, lastMs: LATEST_MS };
