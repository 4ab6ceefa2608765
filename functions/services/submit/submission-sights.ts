/** Judges what Redis answered to submissions by what Postgres said about the same ones and this isolate saw before. */
import { looksAgain, mayBeFirst, note, noteSize, subjectOfSubmissions } from "../healing/trust.ts";
import { ALL_TIME, boardOf, isLive, type Board } from "../../domain/board/board.ts";
import type { MendDeps } from "../healing/mend.ts";
import type { Applied, RankedEntry, RecordedSubmission, Standing } from "./ports.ts";

type Place = { readonly board: Board; readonly rank: number | undefined; readonly points: number };

function placesOf(s: RecordedSubmission, standing: Standing): Place[] {
  const ofWeek = s.thisWeek.best.points;
  return [
    { board: boardOf(s.week), rank: standing.rank, points: ofWeek },
    { board: ALL_TIME, rank: standing.allTimeRank, points: s.allTime.best.points },
    ...(s.country === undefined
      ? []
      : [{ board: boardOf(s.week, s.country), rank: standing.countryRank, points: ofWeek }]),
  ];
}

/** Whether no one else can be there. */
const isAlone = (s: RecordedSubmission, { board }: Place) => isLive(board) && s.boardSize === 1;

/**
 * True when the places may be believed. A player who is first although others are there and had more points came to a board that
 * Redis lost: Redis is compared with Postgres then.
 */
export async function fitsWhatWasSeen(
  deps: MendDeps,
  game: string,
  recorded: readonly RecordedSubmission[],
  entries: readonly RankedEntry[],
  applied: Applied,
): Promise<boolean> {
  const taken: Place[] = [];
  const unexpected: RecordedSubmission[] = [];
  for (const [i, s] of recorded.entries()) {
    const standing = applied.standings?.[i];
    if (!standing) continue;
    const places = placesOf(s, standing);
    taken.push(...places);
    const isUnexpected = (place: Place) =>
      place.rank === 1 && !isAlone(s, place) && !mayBeFirst(game, place.board, place.points);
    if (places.some(isUnexpected)) unexpected.push(s);
  }
  const asked = applied.damaged ? recorded : unexpected;
  if (asked.length > 0 || applied.damaged) {
    const subject = subjectOfSubmissions(deps, asked, applied.damaged ? entries : []);
    // What was only behind is filled by now; a rank that was read before that may be one of that moment.
    if (!(await looksAgain(deps, game, subject, "submission"))) return false;
  }
  for (const { board, rank, points } of taken) {
    if (rank === 1) note(game, board, { first: points });
    noteSize(game, board, rank ?? 0);
  }
  return true;
}
