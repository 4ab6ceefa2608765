/**
 * Wall clocks of time zones. A wall time is told as the unix milliseconds that a clock of UTC with the same digits would have.
 * A time that the zone skips is the first instant after the gap; of a time that comes twice it is the earlier one.
 */
import { LRUCache } from "lru-cache";

const HOUR_MS = 3_600_000;
/** Zones are between UTC−12 and UTC+14; an hour more, so that both looks are on the two sides of whatever changes. */
const LOOK_BACK_MS = 15 * HOUR_MS;
const LOOK_AHEAD_MS = 13 * HOUR_MS;
/** Making a formatter costs a hundred times as much as using it. */
const MOST_ZONES = 200;

const FIELDS: Intl.DateTimeFormatOptions = {
  era: "short",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
  hourCycle: "h23",
};

const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: MOST_ZONES });

/** Names of the time zone database; offsets such as `+01:00`, which Intl takes too, are no zones. */
const ZONE_NAME = /^[A-Za-z][\w+/-]*$/;

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", { ...FIELDS, timeZone: zone });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** Whether the runtime knows the zone. */
export function isZone(zone: string): boolean {
  if (!ZONE_NAME.test(zone)) return false;
  try {
    formatterOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** How far the zone's clock is ahead of UTC at an instant, in milliseconds. Throws a RangeError for a zone that nobody knows. */
export function offsetAt(zone: string, atMs: number): number {
  const second = Math.floor(atMs / 1_000) * 1_000;
  const fields = new Map(
    formatterOf(zone)
      .formatToParts(second)
      .map(({ type, value }) => [type, value]),
  );
  const number = (field: Intl.DateTimeFormatPartTypes) => Number(fields.get(field));
  const year = fields.get("era") === "BC" ? 1 - number("year") : number("year");
  const wall = new Date(0);
  wall.setUTCFullYear(year, number("month") - 1, number("day"));
  wall.setUTCHours(number("hour"), number("minute"), number("second"));
  return wall.getTime() - second;
}

/** What the zone's clock shows at an instant. */
export const wallTimeAt = (zone: string, atMs: number): number => atMs + offsetAt(zone, atMs);

/** The first instant in (lowMs, highMs] at which the offset is not `before`. */
function changeIn(zone: string, lowMs: number, highMs: number, before: number): number {
  let [low, high] = [lowMs, highMs];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** The instant at which the zone's clock shows a wall time. */
export function instantOf(zone: string, wallMs: number): number {
  const [before, after] = [offsetAt(zone, wallMs - LOOK_BACK_MS), offsetAt(zone, wallMs + LOOK_AHEAD_MS)];
  const shows = [wallMs - before, wallMs - after].filter((at) => wallTimeAt(zone, at) === wallMs);
  if (shows.length > 0) return Math.min(...shows);
  return changeIn(zone, wallMs - after, wallMs - before, before);
}
