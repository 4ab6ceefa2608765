/** Limits of the platform that a build can break (PLATFORM 4.1, 5.2), and how far a build is from them. */

const MEBIBYTE = 1024 * 1024;

/** gzip, on the free plan; a Worker below it runs on every plan. The paid plan's limit is 10 MiB. */
export const WORKER_GZIP_BYTES = 3 * MEBIBYTE;
/** PartyKit uploads the room as a Worker of its own. */
export const ROOM_GZIP_BYTES = 3 * MEBIBYTE;
export const ASSET_BYTES = 25 * MEBIBYTE;
export const ASSET_FILES = 20_000;
export const VARIABLE_BYTES = 5 * 1024;
export const VARIABLES = 64;

export type Measure = { readonly what: string; readonly value: number; readonly limit: number; readonly unit: string };

export const withinLimit = ({ value, limit }: Measure): boolean => value <= limit;

export function measureLine({ what, value, limit, unit }: Measure): string {
  const inUnit = (n: number) => (unit === "KiB" ? Math.ceil(n / 1024) : n).toLocaleString("en");
  const percent = ((100 * value) / limit).toFixed(1);
  return `${what}: ${inUnit(value)} ${unit} of ${inUnit(limit)} (${percent} %)`;
}
