/** Stretches of boards that games defined, as lb_range_v3 and lb_push_v3 answer with them. */
import { DependencyError } from "../../domain/errors.ts";
import { entryOf, type PeriodBoard } from "../../domain/board/period-board.ts";
import type { BoardPage } from "../../services/boards/ports.ts";
import { flatReply, unreadable } from "./words.ts";

function numberOf(word: string | undefined): number {
  if (word === undefined) throw unreadable();
  return Number(word);
}

/**
 * A stretch of the board; `points` of its entries are strengths. Undefined: Redis does not have (all of) the game. Throws
 * DependencyError `RECORD_SIZE` for a board that is full.
 */
export function parsePeriodPage(board: PeriodBoard, reply: unknown): BoardPage | undefined {
  const [status, size, version, rank, competitionRank, ...flat] = flatReply(reply);
  if (status === "missing") return undefined;
  if (status === "full") throw new DependencyError("redis", "refused", "RECORD_SIZE");
  const boardSize = numberOf(size);
  if (status === "absent") return { boardSize, version: "0", firstRank: 0, firstCompetitionRank: 0, entries: [] };
  // A version of several digits never begins with 0, unless Redis lost what it has to begin with.
  if (version === undefined || (version.length > 1 && version.startsWith("0"))) return undefined;
  const entries = flat.flatMap((player, i) => (i % 2 === 0 ? [entryOf(board, player, numberOf(flat[i + 1]))] : []));
  return { boardSize, version, firstRank: numberOf(rank), firstCompetitionRank: numberOf(competitionRank), entries };
}
