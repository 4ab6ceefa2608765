/** Numbers, times and weeks as text. */
import type { Period } from "../functions/domain/board/board.ts";

const NUMBER = new Intl.NumberFormat("en");
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
const DAY_OF_YEAR = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export function number(value: number): string {
  return NUMBER.format(value);
}

/** `2d 04:11:09`. */
export function countdown(ms: number): string {
  const left = Math.max(0, ms);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const days = Math.floor(left / (24 * HOUR));
  const clock = `${two((left / HOUR) % 24)}:${two((left / MINUTE) % 60)}:${two((left / SECOND) % 60)}`;
  return days > 0 ? `${days}d ${clock}` : clock;
}

export function ago(ms: number): string {
  if (ms < 5 * SECOND) return "just now";
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s ago`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`;
  if (ms < 24 * HOUR) return `${Math.floor(ms / HOUR)} h ago`;
  return `${Math.floor(ms / (24 * HOUR))} d ago`;
}

/** `29 November`, in another year than now with the year. */
export function day(ms: number, nowMs: number): string {
  return sameYear(ms, nowMs) ? DAY.format(ms) : DAY_OF_YEAR.format(ms);
}

/** `Week 48, 23–29 November`, when it is not all in this year with the year. */
export function weekTitle(week: string, { startsAtMs, endsAtMs }: Period, nowMs: number): string {
  const [first, last] = [startsAtMs, endsAtMs - 1];
  const format = sameYear(first, nowMs) && sameYear(last, nowMs) ? DAY : DAY_OF_YEAR;
  return `Week ${Number(week.slice(-2))}, ${format.formatRange(first, last)}`;
}

function sameYear(aMs: number, bMs: number): boolean {
  return new Date(aMs).getUTCFullYear() === new Date(bMs).getUTCFullYear();
}
