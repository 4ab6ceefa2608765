/** How a submission stands on the boards that its game defined, as the client is told. */
import type { BoardStanding, ScoreRequest } from "../../contract/scores.ts";
import type { CompiledBoard } from "../../domain/board/compiled.ts";
import { valueOf } from "../../domain/board/strength.ts";
import type { EntryChange, RecordedSubmission } from "./ports.ts";

/** `laps`, `laps~track-88` or `laps#2`, with or without a period behind a dot. */
const nameOf = (key: string) => key.split(/[~.]/)[0] ?? "";

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
  { key, reason, strength, previous, changed, boardSize, endsAtMs }: EntryChange,
  submitted: Pick<ScoreRequest, "points" | "values">,
): BoardStanding {
  const period = key.split(".")[1];
  return {
    board: board.id,
    key: period === undefined ? null : shownKey(board, key),
    period: period ?? null,
    value: submittedValue(board, submitted),
    improved: changed,
    best: strength === undefined ? null : valueOf(board, strength),
    previous: previous === undefined ? null : valueOf(board, previous),
    rank: null,
    boardSize: reason === undefined ? boardSize : null,
    segments: [],
    counted: reason === undefined,
    ...(reason === undefined ? {} : { reason }),
    resetsAt:
      endsAtMs === undefined || board.schedules.at(-1)?.schedule.kind === "never"
        ? null
        : new Date(endsAtMs).toISOString(),
  };
}

/** `boards` of an answer; nothing for a game that defined none. A board that was deleted meanwhile is left out. */
export function boardsOf(
  boards: readonly CompiledBoard[],
  { entries }: Pick<RecordedSubmission, "entries">,
  submitted: Pick<ScoreRequest, "points" | "values"> | undefined,
): { readonly boards?: BoardStanding[] } {
  if (boards.length === 0 || submitted === undefined) return {};
  return {
    boards: (entries ?? []).flatMap((entry) => {
      const board = boards.find(({ name }) => name === nameOf(entry.key));
      return board ? [toStanding(board, entry, submitted)] : [];
    }),
  };
}
