/** Periods as rows: bounds and unit of time that packed scores can tell apart, and which rows a board needs when. */
import type { CompiledBoard } from "./compiled.ts";
import type { Period } from "./periods/schedule.ts";
import { ENDLESS, packingOf } from "./rule.ts";
import { periodsOn } from "./turns.ts";

/** A period as a row: when nothing of it counts any more, and the step of time in its packed scores. */
export type PeriodRow = Period & { readonly closesAtMs: number; readonly unitMs: number };

/** The current period and the next two. */
const AHEAD = 3;
/** Shorter periods get rows ahead only while the game is played: an idle game must not keep Postgres awake. */
const SHORT_MS = 3_600_000;

/** Rows begin and end within the period that never ends. */
const bounded = (ms: number) => Math.min(Math.max(ms, ENDLESS.startsAtMs), ENDLESS.endsAtMs);

/** From when to when there may be rows of these periods, which follow each other. */
export const rowsWithin = (periods: readonly Period[]): readonly [fromMs: number, untilMs: number] => [
  bounded(periods[0]?.startsAtMs ?? ENDLESS.endsAtMs),
  bounded(periods.at(-1)?.endsAtMs ?? ENDLESS.startsAtMs),
];

export function toRow(board: CompiledBoard, { period, startsAtMs, endsAtMs }: Period): PeriodRow {
  const bounds = { startsAtMs: bounded(startsAtMs), endsAtMs: bounded(endsAtMs) };
  const { unitMs } = packingOf(board, bounds);
  return { period, ...bounds, closesAtMs: bounds.endsAtMs + board.graceSeconds * 1_000, unitMs };
}

/** The rows that a board needs at `nowMs`. */
export const rowsAhead = (board: CompiledBoard, nowMs: number): PeriodRow[] =>
  periodsOn(board.schedules, nowMs, AHEAD).map((period) => toRow(board, period));

/** When the game's boards need their next rows; undefined: never, or not before a player submits. */
export function nextRowsAt(boards: readonly CompiledBoard[], nowMs: number, isPlayed: boolean): number | undefined {
  const ends = boards.flatMap((board) => {
    const [first] = periodsOn(board.schedules, nowMs, 1);
    if (!first || first.endsAtMs >= ENDLESS.endsAtMs) return [];
    return isPlayed || first.endsAtMs - first.startsAtMs >= SHORT_MS ? [first.endsAtMs] : [];
  });
  return ends.length === 0 ? undefined : Math.min(...ends);
}
