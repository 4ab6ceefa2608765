/**
 * Packed scores: one double that spells V bits of strength and T bits of inverted time, V + T = 63. Its exponent and mantissa are
 * those bits, the lower half of the exponents mirrored into the negative doubles. Doubles are ordered as their bits are, so
 * the greater strength comes first and then the earlier time. Exponents stay within ±512, far from infinities and denormals.
 */

/** Bits of the time beside so many bits of the strength. */
const TIME_BITS = { 33: 30, 43: 20, 53: 10 } as const;
/** Bits of the strength. */
export type Split = keyof typeof TIME_BITS;

const EXPONENT_BITS = 11;
const HALF_OF_EXPONENTS = 2 ** (EXPONENT_BITS - 1);
const EXPONENT_SHIFT = 512;
const MANTISSA_BITS = 52;
const MANTISSA = 2 ** MANTISSA_BITS;

/** The first split whose strengths go from 0 to `most`. Throws a RangeError for more than 2^53 − 1. */
export function splitOf(most: number): Split {
  const split = ([33, 43, 53] as const).find((bits) => most < 2 ** bits);
  if (split === undefined) throw new RangeError(`no split holds strengths to ${most}`);
  return split;
}

export const timeBitsOf = (split: Split): number => TIME_BITS[split];

/** Steps of time that a split tells apart. */
export const ticksOf = (split: Split): number => 2 ** timeBitsOf(split);

/** Strength and inverted time in one double; every product is one by a power of two, hence exact. */
export function packBits(split: Split, strength: number, inverted: number): number {
  const lowValues = 2 ** (split - EXPONENT_BITS);
  const high = Math.floor(strength / lowValues);
  const low = (strength - high * lowValues) * ticksOf(split) + inverted;
  return high >= HALF_OF_EXPONENTS
    ? (MANTISSA + low) * 2 ** (high - HALF_OF_EXPONENTS - EXPONENT_SHIFT - MANTISSA_BITS)
    : -(MANTISSA + (MANTISSA - 1 - low)) * 2 ** (HALF_OF_EXPONENTS - 1 - high - EXPONENT_SHIFT - MANTISSA_BITS);
}

const DOUBLE = new DataView(new ArrayBuffer(8));
const EXPONENT_BIAS = 1023;

/** Exponent and mantissa of a positive double. */
function partsOf(double: number): readonly [exponent: number, mantissa: number] {
  DOUBLE.setFloat64(0, double);
  const upper = DOUBLE.getUint32(0);
  return [(upper >>> 20) - EXPONENT_BIAS, (upper & 0xf_ff_ff) * 2 ** 32 + DOUBLE.getUint32(4)];
}

function unpackBits(split: Split, score: number): { readonly strength: number; readonly inverted: number } {
  const [exponent, mantissa] = partsOf(Math.abs(score));
  const shifted = exponent + EXPONENT_SHIFT;
  const high = score > 0 ? HALF_OF_EXPONENTS + shifted : HALF_OF_EXPONENTS - 1 - shifted;
  const low = score > 0 ? mantissa : MANTISSA - 1 - mantissa;
  const lowStrength = Math.floor(low / ticksOf(split));
  return { strength: high * 2 ** (split - EXPONENT_BITS) + lowStrength, inverted: low - lowStrength * ticksOf(split) };
}

/** A score as text that every Lua reads: 17 digits are exact, and gopher-lua reads exponents behind a point only. */
export const textOf = (score: number): string => score.toExponential(16);

/** How the scores of one period are packed. Instants are unix milliseconds. */
export type Packing = {
  readonly split: Split;
  /** False: equal strengths rank by the player's id, so that scores hold no time. */
  readonly timed: boolean;
  /** The first instant: tick 0. */
  readonly startsAtMs: number;
  /** Milliseconds of a tick. */
  readonly unitMs: number;
};

/**
 * The smallest of 1, 2, 5, 10, 20, 50, … with which a period of this length fits into the time bits. Of
 * 33/30: a day and a week 1, a month 5, a year 50, and what never ends 1,000.
 */
export function unitMsOf(split: Split, lengthMs: number): number {
  for (let power = 1; ; power *= 10) {
    const unit = [1, 2, 5].map((step) => step * power).find((ms) => ms * ticksOf(split) >= lengthMs);
    if (unit !== undefined) return unit;
  }
}

/** The tick of an instant of the period: its time is cut to the unit. */
export const tickOf = ({ startsAtMs, unitMs }: Packing, atMs: number): number =>
  Math.floor((atMs - startsAtMs) / unitMs);

/** The instant at which a tick begins. */
export const instantOf = ({ startsAtMs, unitMs }: Packing, tick: number): number => startsAtMs + tick * unitMs;

/** The last tick that scores hold. */
export const lastTickOf = ({ split }: Packing): number => ticksOf(split) - 1;

/** The score of a strength that was reached at a tick. */
export const packStrength = ({ split, timed }: Packing, strength: number, tick: number): number =>
  packBits(split, strength, timed ? ticksOf(split) - 1 - tick : 0);

/** What a score of Redis says; `tick` is undefined where scores hold no time. */
export function unpackStrength(
  { split, timed }: Packing,
  score: number,
): { strength: number; tick: number | undefined } {
  const { strength, inverted } = unpackBits(split, score);
  return { strength, tick: timed ? ticksOf(split) - 1 - inverted : undefined };
}
