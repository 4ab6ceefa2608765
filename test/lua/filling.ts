import { allTimeScore, weeklyScore } from "../../functions/domain/board/score.ts";
import type { Board } from "./keys.ts";
import type { Entry } from "./page.ts";

/** One board of a fill or a page: its keys in the order of the flags, its arguments. */
export function filling(board: Board, flags: string, entries: readonly Entry[], removals: readonly string[] = []) {
  const keys = [board.key];
  if (flags.includes("p") && board.players !== undefined) keys.push(board.players);
  if (flags.includes("t")) keys.push(board.moderated, board.lease);
  const packed = ({ points, at }: Entry) =>
    String(board.start === "" ? allTimeScore(points, at) : weeklyScore(points, at - board.start));
  const flat = entries.flatMap((one) => [packed(one), one.player]);
  return { keys, args: [board.start, board.expiry, flags, entries.length, removals.length, ...flat, ...removals] };
}

export type Filling = ReturnType<typeof filling>;
