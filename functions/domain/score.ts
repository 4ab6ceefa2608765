/**
 * The packed sorted-set scores (DESIGN 4), the same rules as lua/leaderboard.lua keeps.
 * The library packs and unpacks what players send and read; rebuilding packs here, and doctor and tests compare.
 */

export const MAX_POINTS = 2 ** 33 - 1;
export const WEEK_SECONDS = 604_800;

const TIME_UNIT = 2 ** 20;
/** 2024-01-01T00:00:00Z, second 0 of the all-time score. */
export const ALL_TIME_EPOCH = 1_704_067_200;
const ALL_TIME_BITS = 30n;
/** Seconds that the all-time score tells apart. */
export const ALL_TIME_SECONDS = 2 ** 30;
const EXPONENT_SHIFT = 512n;
const MANTISSA_BITS = 52n;

/**
 * Weekly score of `points` reached `secondsIntoWeek` seconds after the week's Monday 00:00Z.
 * An exact integer below 2^53; more points first, then the earlier second.
 */
export function weeklyScore(points: number, secondsIntoWeek: number): number {
  return points * TIME_UNIT + (TIME_UNIT - 1 - secondsIntoWeek);
}

/**
 * All-time score of `points` reached at `unixSecond`: the double whose exponent and mantissa spell 33 bits of
 * points and 30 bits of inverted time; the lower half of the exponents is mirrored into the negative doubles.
 * Doubles are ordered as their bits are, so the order is exact until 2058-01-10.
 */
export function allTimeScore(points: number, unixSecond: number): number {
  const time = BigInt(ALL_TIME_SECONDS - 1 - (unixSecond - ALL_TIME_EPOCH));
  const spelled = (BigInt(points) << ALL_TIME_BITS) | time;
  const exponent = spelled >> MANTISSA_BITS;
  const mantissa = spelled & ((1n << MANTISSA_BITS) - 1n);
  const positive = exponent >= 1024n;
  const power = (positive ? exponent - 1024n : 1023n - exponent) - EXPONENT_SHIFT;
  const bits = ((power + 1023n) << MANTISSA_BITS) | (positive ? mantissa : (1n << MANTISSA_BITS) - 1n - mantissa);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return positive ? view.getFloat64(0) : -view.getFloat64(0);
}
