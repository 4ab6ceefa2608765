/** What names a board in a path: `current`, a week, `all-time`, `<board>`, `<board>~<key>`, each with `.<period>` or `.previous`. */
import { ALL_TIME, parseBoard } from "./board.ts";

export const CURRENT = "current";
export const PREVIOUS = "previous";

export type BoardRef =
  /** A board of every game: `current`, `previous`, a week or `all-time`. */
  | { readonly kind: "default"; readonly name: string }
  /** `period` undefined: the one that runs now. */
  | {
      readonly kind: "defined";
      readonly board: string;
      readonly key: string | undefined;
      readonly period: string | undefined;
    };

const REF = /^(?<board>[a-z][a-z0-9-]{0,31})(?:~(?<key>[A-Za-z0-9_-]{1,64}))?(?:\.(?<period>[A-Za-z0-9-]{1,24}))?$/;

/** The boards of every game by the names of their definitions. */
function defaultOf(board: string, period: string | undefined): string | undefined {
  if (board === "weekly") {
    if (period === undefined) return CURRENT;
    return period === PREVIOUS || (period !== ALL_TIME.name && parseBoard(period)) ? period : undefined;
  }
  return period === undefined || period === "all" ? ALL_TIME.name : undefined;
}

/** Undefined for a text that names no board. */
export function parseRef(text: string): BoardRef | undefined {
  if (text === CURRENT || parseBoard(text)) return { kind: "default", name: text };
  const { board, key, period } = REF.exec(text)?.groups ?? {};
  if (board === undefined || board === PREVIOUS || board === CURRENT) return undefined;
  if (board !== "weekly" && board !== ALL_TIME.name) return { kind: "defined", board, key, period };
  const name = key === undefined ? defaultOf(board, period) : undefined;
  return name === undefined ? undefined : { kind: "default", name };
}
