/** How a submission stands on the boards that its game defined, as the client is told. */
import type { BoardStanding, ScoreRequest } from "../../contract/scores.ts";
import type { CompiledBoard } from "../../domain/board/compiled.ts";
import { valueOf } from "../../domain/board/strength.ts";
import type { EntryChange, EntryPlace, RecordedSubmission } from "./ports.ts";
import { boardOfKey, wordOf, type Places } from "./ranked-entries.ts";

/** The key as clients write it: with the board's id, also where the id was defined anew. */
const shownKey = ({ id, name }: CompiledBoard, key: string) => id + key.slice(name.length);

function submittedValue(
  board: CompiledBoard,
  { points, values }: Pick<ScoreRequest, "points" | "values">,
): number | null {
  if (board.aggregation === "count") return 1;
  if (board.statistic === null) return null;
  return (board.statistic === "points" ? points : values?.[board.statistic]) ?? null;
}

function toStanding(
  board: CompiledBoard,
  { key, reason, strength, previous, changed, boardSize, period: bounds, parts }: EntryChange,
  submitted: Pick<ScoreRequest, "points" | "values">,
  place: EntryPlace | undefined,
): BoardStanding {
  const period = key.split(".")[1];
  const counts = reason === undefined;
  const wanted = parts.filter(({ segment }) => board.answer.segmentRanks.includes(segment));
  return {
    board: board.id,
    key: period === undefined ? null : shownKey(board, key),
    period: period ?? null,
    value: submittedValue(board, submitted),
    improved: changed,
    best: strength === undefined ? null : valueOf(board, strength),
    previous: previous === undefined ? null : valueOf(board, previous),
    rank: place?.rank ?? null,
    // Counted by Postgres a moment before Redis ranked.
    boardSize: counts ? Math.max(boardSize, place?.rank ?? 0) : null,
    segments: counts
      ? wanted.map(({ segment, value }) => {
          const part = `${segment}=${value}`;
          return { segment: part, rank: place?.parts.get(part) ?? null };
        })
      : [],
    counted: counts,
    ...(counts ? {} : { reason }),
    resetsAt:
      bounds === undefined || board.schedules.at(-1)?.schedule.kind === "never"
        ? null
        : new Date(bounds.endsAtMs).toISOString(),
  };
}

/** `boards` of an answer; nothing for a game that defined none. A board that was deleted meanwhile is left out. */
export function boardsOf(
  boards: readonly CompiledBoard[],
  { player, entries }: Pick<RecordedSubmission, "player" | "entries">,
  submitted: Pick<ScoreRequest, "points" | "values"> | undefined,
  places: Places,
): { readonly boards?: BoardStanding[] } {
  if (boards.length === 0 || submitted === undefined) return {};
  return {
    boards: (entries ?? []).flatMap((entry) => {
      const board = boardOfKey(boards, entry.key);
      return board ? [toStanding(board, entry, submitted, places.get(wordOf(player, entry.key)))] : [];
    }),
  };
}
