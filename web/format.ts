/** Numbers, times and weeks as text. */
import { startOf, weekEnd } from "../functions/domain/week.ts";

const NUMBER = new Intl.NumberFormat("en");
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
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

export function day(ms: number): string {
  return DAY.format(ms);
}

/** `Week 48, 23–29 November`. */
export function weekTitle(week: string): string {
  return `Week ${Number(week.slice(-2))}, ${DAY.formatRange(startOf(week), weekEnd(week) - 1)}`;
}
