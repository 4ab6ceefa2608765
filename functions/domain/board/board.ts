/**
 * What a board is: a value that everything else passes on. Its name, its country and when it begins and ends are part of it; which
 * boards there are at a moment stands in time.ts, how entries are packed in score.ts, and which of two is ahead in ranking.ts.
 */
import { COUNTRIES } from "../country.ts";
import { KEPT_AFTER_WEEK_MS, startOf, WEEK_MS, weekStart } from "./week.ts";

/** Instants are unix milliseconds. */
export type Period = {
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  /** From here on Postgres alone has the board. */
  readonly expiresAtMs: number;
};

export type Board = {
  /** Its name in addresses, keys and rows: an ISO week such as `2026-W42`, or `all-time`. */
  readonly name: string;
  /** The part of the board that it is; undefined: the whole board. */
  readonly country: string | undefined;
  /** Undefined: it never ends, and is not kept country by country. */
  readonly period: Period | undefined;
};

export type RawEntry = { readonly player: string; readonly points: number; readonly achievedAtMs: number };

/** Position in a board's order: the page goes on right below it. */
export type Cursor = RawEntry;

/** The board of every game that never ends. */
export const ALL_TIME: Board = { name: "all-time", country: undefined, period: undefined };

/** The board of a name, or its part of one country. Throws a RangeError for a name of no board. */
export function boardOf(name: string, country?: string): Board {
  if (name === ALL_TIME.name) return ALL_TIME;
  const startsAtMs = startOf(name);
  const endsAtMs = startsAtMs + WEEK_MS;
  return { name, country, period: { startsAtMs, endsAtMs, expiresAtMs: endsAtMs + KEPT_AFTER_WEEK_MS } };
}

/** The board of a name; undefined for a text that names none. */
export const parseBoard = (text: string): Board | undefined =>
  text === ALL_TIME.name || weekStart(text) !== undefined ? boardOf(text) : undefined;

export const isWhole = ({ country }: Board): boolean => country === undefined;

/** The board that it is a part of; a whole board itself. */
export const wholeOf = (board: Board): Board => ({ ...board, country: undefined });

export const hasCountries = ({ period }: Board): boolean => period !== undefined;

export const partOf = (board: Board, country: string): Board => ({ ...board, country });

/** The board and its parts. */
export const withParts = (board: Board): Board[] =>
  hasCountries(board) ? [board, ...COUNTRIES.map((country) => partOf(board, country))] : [board];

/** Whether the board's top 10 is pushed to a room, and its distinct players are counted. */
export const isLive = (board: Board): boolean => isWhole(board) && board.period !== undefined;

/** `2026-W42`, `2026-W42/DE` or `all-time`: a board or a part of one in one word. */
export const labelOf = ({ name, country }: Board): string => (country === undefined ? name : `${name}/${country}`);

/** The board of a label. Throws a RangeError for a text that is none. */
export function parseLabel(label: string): Board {
  const [name = "", country] = label.split("/");
  return boardOf(name, country);
}
