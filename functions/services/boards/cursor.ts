/** Cursors of board pages: the last entry's place in the order, so that pages hold still while the board moves. */
import { z } from "zod";
import { Player, Points } from "../../contract/primitives.ts";
import { DomainError } from "../../domain/errors.ts";
import { EARLIEST_MS, LATEST_MS } from "../../domain/board/score.ts";
import { instantOf, lastTickOf, tickOf } from "../../domain/board/packing.ts";
import type { PeriodBoard } from "../../domain/board/period-board.ts";
import { holds } from "../../domain/board/time.ts";
import type { Board, Cursor } from "../../domain/board/board.ts";

/** Whole seconds that the boards can hold. */
const AchievedAtMs = z.int().min(EARLIEST_MS).max(LATEST_MS).multipleOf(1000);
const Parts = z.tuple([Points, AchievedAtMs, Player]);
/** Strengths and milliseconds, of boards that games defined. */
const EntryParts = z.tuple([z.int().min(0), z.int(), Player]);

function toBase64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(binary, (c) => c.charCodeAt(0)));
}

export function encodeCursor(entry: Cursor): string {
  return toBase64Url(JSON.stringify([entry.points, entry.achievedAtMs, entry.player]));
}

function parse(text: string, parts: typeof Parts | typeof EntryParts): Cursor | undefined {
  try {
    const [points, achievedAtMs, player] = parts.parse(JSON.parse(fromBase64Url(text)));
    return { points, achievedAtMs, player };
  } catch {
    return undefined;
  }
}

const notOurs = () =>
  new DomainError("invalid", "The cursor is not one that this API gave out.", {
    errors: [{ pointer: "cursor", detail: "must be the `next` of an earlier page" }],
  });

/** Throws DomainError `invalid` for anything that encodeCursor did not make for this board. */
export function decodeCursor(text: string, board: Board): Cursor {
  const cursor = parse(text, Parts);
  if (!cursor || !holds(board, cursor.achievedAtMs)) throw notOurs();
  return cursor;
}

/** Whether the board's scores can hold such an entry. */
function canHold({ board, packing }: PeriodBoard, { points, achievedAtMs }: Cursor): boolean {
  const tick = tickOf(packing, achievedAtMs);
  const isTick = tick >= 0 && tick <= (packing.timed ? lastTickOf(packing) : 0);
  return points <= board.most && isTick && instantOf(packing, tick) === achievedAtMs;
}

/** The same for a board that a game defined. */
export function decodeEntryCursor(text: string, board: PeriodBoard): Cursor {
  const cursor = parse(text, EntryParts);
  if (!cursor || !canHold(board, cursor)) throw notOurs();
  return cursor;
}
