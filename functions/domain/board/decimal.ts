/** Decimal numbers as whole units of their last place, without rounding. */

const SPELLED = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:e(?<exponent>[+-]\d+))?$/;

/**
 * value · 10^decimals, exact up to 2^53: the value is what JSON says, so the shortest decimal that is this double. Undefined for a
 * value that is not finite or has more decimal places.
 */
export function decimalUnits(value: number, decimals: number): number | undefined {
  const { sign = "", whole = "", fraction = "", exponent = "0" } = SPELLED.exec(String(value))?.groups ?? {};
  if (whole === "") return undefined;
  const digits = `${whole}${fraction}`;
  /** Places that the digits have to move to the left of the point. */
  const shift = decimals + Number(exponent) - fraction.length;
  const dropped = shift < 0 ? digits.slice(shift) : "";
  if (/[1-9]/.test(dropped)) return undefined;
  const kept = shift < 0 ? digits.slice(0, shift) : digits + "0".repeat(shift);
  // Adding 0 makes a zero of either sign the same zero.
  return Number(`${sign}${kept === "" ? "0" : kept}`) + 0;
}

/**
 * With so many digits every decimal number has a double of its own, which leads back to it. Numbers without places have that up
 * to 2^53.
 */
export const MOST_DECIMAL_UNITS = 10 ** 15 - 1;

/** The value of whole units: the double that is nearest to it. */
export const valueOfUnits = (units: number, decimals: number): number => Number(`${units}e-${decimals}`);
