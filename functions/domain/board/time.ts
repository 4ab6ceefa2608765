/** Boards and moments: which boards there are, which one a moment belongs to, and when Redis drops one. Unix milliseconds. */
import { ALL_TIME, boardOf, parseBoard, type Board } from "./board.ts";
import { KEPT_AFTER_WEEK_MS, keptWeeks, nextWeek, weekOf, WEEK_MS } from "./week.ts";

/** A submission may be this far ahead of the clock, on the next board already. */
export const AHEAD_MS = 60_000;
/** And this far behind it: a board that may still be submitted to is one that Redis keeps. */
export const BACK_MS = KEPT_AFTER_WEEK_MS;

/** Whether Redis has the board at `nowMs`; of others Postgres alone knows. */
export const isOnRedis = ({ period }: Board, nowMs: number): boolean =>
  period === undefined || period.expiresAtMs > nowMs;

/** Whether an entry of this moment can be on the board. */
export const holds = ({ period }: Board, atMs: number): boolean =>
  period === undefined || (atMs >= period.startsAtMs && atMs < period.endsAtMs);

/** When the board is reset, ISO 8601. Throws a RangeError for one that never is. */
export function resetsAt({ name, period }: Board): string {
  if (!period) throw new RangeError(`never reset: ${name}`);
  return new Date(period.endsAtMs).toISOString();
}

/** The board that begins and ends, and that a submission of this moment is on. */
export const currentBoard = (nowMs: number): Board => boardOf(weekOf(nowMs));

/** The board that ended where the current one began. */
export const previousBoard = (nowMs: number): Board => currentBoard(nowMs - WEEK_MS);

/** The board that begins where this one ends; undefined where none does. */
export const nextBoard = ({ name, period }: Board): Board | undefined => period && parseBoard(nextWeek(name));

/** The boards that begin and end and that Redis keeps, the newest first. */
export const keptBoards = (nowMs: number): Board[] => keptWeeks(nowMs).map((week) => boardOf(week));

/** All boards that Redis keeps, the one that most people look at first; with one that submissions may be on already. */
export function boardsAt(nowMs: number): Board[] {
  const [newest = currentBoard(nowMs), ...older] = keptBoards(nowMs + AHEAD_MS);
  return [newest, ALL_TIME, ...older];
}
