/**
 * The periods of a board whose schedule may have changed. A schedule holds from the end of the period that ran when it was
 * set, so that nothing moves that has begun; periods follow each other without a gap that neither schedule has.
 */
import { periodNamed, periodsFrom } from "./periods.ts";
import type { Period, Schedule } from "./periods/schedule.ts";

/** A schedule and since when it holds, unix milliseconds; null: since ever. */
export type Turn = { readonly fromMs: number | null; readonly schedule: Schedule };
export type Turns = readonly Turn[];

/** Older turns than these are of no submission that is still taken. */
const MOST_TURNS = 16;

const startOf = (turn: Turn | undefined): number => turn?.fromMs ?? Number.NEGATIVE_INFINITY;
const endOf = (turns: Turns, i: number): number => turns[i + 1]?.fromMs ?? Number.POSITIVE_INFINITY;

/** Whether a period of an earlier schedule has this id, so that no other one may. */
function isTaken(turns: Turns, i: number, period: string): boolean {
  return turns.slice(0, i).some((turn, earlier) => {
    const found = periodNamed(turn.schedule, period);
    return found !== undefined && found.startsAtMs < endOf(turns, earlier) && found.endsAtMs > startOf(turn);
  });
}

/**
 * The period that a schedule begins with when it takes over in the middle of one: what is left of it, or, when an earlier
 * schedule had one of the same id, that together with the next. Undefined when none of its periods runs then.
 */
function firstOf(turns: Turns, i: number): Period | undefined {
  const turn = turns[i];
  if (!turn || turn.fromMs === null) return undefined;
  const { fromMs, schedule } = turn;
  const [first, second] = periodsFrom(schedule, fromMs, 2);
  if (!first || first.startsAtMs > fromMs) return undefined;
  if (!isTaken(turns, i, first.period)) return { ...first, startsAtMs: fromMs };
  return second?.startsAtMs === first.endsAtMs ? { ...second, startsAtMs: fromMs } : undefined;
}

/** Up to `n` periods of one schedule of the turns, from the one that holds `atMs` on. */
function ofTurn(turns: Turns, i: number, atMs: number, n: number): Period[] {
  const turn = turns[i];
  if (!turn) return [];
  const first = firstOf(turns, i);
  const begins = first !== undefined && atMs < first.endsAtMs ? [first] : [];
  const later = periodsFrom(turn.schedule, begins[0]?.endsAtMs ?? atMs, n + 1);
  const isOfTurn = ({ startsAtMs }: Period) => startsAtMs >= startOf(turn) && startsAtMs < endOf(turns, i);
  return [...begins, ...later].filter(isOfTurn).slice(0, n);
}

/** Up to `n` periods, from the one that holds `fromMs` on; while none runs, from the next. */
export function periodsOn(turns: Turns, fromMs: number, n: number): Period[] {
  const found: Period[] = [];
  for (const i of turns.keys()) {
    if (endOf(turns, i) <= fromMs) continue;
    found.push(...ofTurn(turns, i, Math.max(fromMs, startOf(turns[i])), n - found.length));
  }
  return found;
}

/** The period that holds the instant. */
export function periodOn(turns: Turns, atMs: number): Period | undefined {
  const [period] = periodsOn(turns, atMs, 1);
  return period && period.startsAtMs <= atMs ? period : undefined;
}

/** The period of this id, if it has begun. */
export function beginsBy(turns: Turns, period: string, nowMs: number): Period | undefined {
  for (const [i, turn] of turns.entries()) {
    const found = periodNamed(turn.schedule, period);
    const starts = found && periodOn(turns, Math.max(found.startsAtMs, startOf(turn)));
    if (starts?.period === period && starts.startsAtMs <= nowMs && starts.startsAtMs < endOf(turns, i)) return starts;
  }
  return undefined;
}

/** When the next period begins or the running one ends: until then the turns may be changed as it was read. */
export function nextTurnOn(turns: Turns, nowMs: number): number {
  const [next] = periodsOn(turns, nowMs, 1);
  if (!next) return Number.POSITIVE_INFINITY;
  return next.startsAtMs > nowMs ? next.startsAtMs : next.endsAtMs;
}

const isSame = (a: Schedule, b: Schedule) => JSON.stringify(a) === JSON.stringify(b);

/** The turns with another schedule from the next period on. One that was set and has not taken over yet is dropped. */
export function withSchedule(turns: Turns, schedule: Schedule, nowMs: number): Turns {
  const begun = turns.filter((turn) => startOf(turn) <= nowMs);
  const last = begun.at(-1);
  if (last && isSame(last.schedule, schedule)) return begun;
  const fromMs = periodOn(begun, nowMs)?.endsAtMs ?? nowMs;
  const [oldest, ...others] = [...begun, { fromMs, schedule }].slice(-MOST_TURNS);
  return oldest ? [{ ...oldest, fromMs: null }, ...others] : [];
}
