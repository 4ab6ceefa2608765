/** What a submission is answered with: what Postgres recorded, and where Redis ranked it. */
import type { ScoreResponse } from "../../contract/scores.ts";
import { improves, type Best } from "../../domain/board/ranking.ts";
import { ALL_TIME, boardOf } from "../../domain/board/board.ts";
import { resetsAt } from "../../domain/board/time.ts";
import type { HeldSubmission, RecordedSubmission, Standing, ValuesSubmission } from "./ports.ts";

/** Bests before each submission of a call: several of one player build on each other. */
export function createFold() {
  const bests = new Map<string, Best>();
  return (board: string, s: RecordedSubmission, change: RecordedSubmission["thisWeek"]) => {
    const own: Best = { points: s.points, achievedAtMs: Math.floor(s.submittedAtMs / 1000) * 1000 };
    if (s.replayed) {
      return { improved: change.submissionId === s.submissionId, best: change.best.points, previous: null };
    }
    const key = `${board}\n${s.player}`;
    // Not raised: nothing of this call counted, and the best was there before it.
    const before = bests.get(key) ?? (change.raised ? change.previous : change.best);
    const improved = change.raised && improves(own, before);
    const after = improved || !before ? own : before;
    bests.set(key, after);
    return { improved, best: after.points, previous: before?.points ?? null };
  };
}

/** The part that says what was submitted. */
const submitted = (game: string, s: RecordedSubmission | HeldSubmission | ValuesSubmission) => ({
  submissionId: s.submissionId,
  game,
  player: s.player,
  points: "points" in s ? s.points : null,
  submittedAt: new Date(s.submittedAtMs).toISOString(),
  week: s.week,
  country: s.country ?? null,
});

export function toResponse(
  game: string,
  s: RecordedSubmission,
  standing: Standing | undefined,
  fold: ReturnType<typeof createFold>,
): ScoreResponse {
  const week = fold(s.week, s, s.thisWeek);
  const allTime = fold(ALL_TIME.name, s, s.allTime);
  return {
    ...submitted(game, s),
    improved: week.improved,
    best: week.best,
    previousBest: week.previous,
    rank: standing?.rank ?? null,
    // Counted by Postgres a moment before Redis ranked: who came in between is ranked already and not counted.
    boardSize: standing?.rank === undefined ? null : Math.max(s.boardSize, standing.rank),
    countryRank: standing?.countryRank ?? null,
    allTime: { improved: allTime.improved, best: allTime.best, rank: standing?.allTimeRank ?? null },
    resetsAt: resetsAt(boardOf(s.week)),
    ranked: standing?.rank !== undefined,
    replayed: s.replayed,
  };
}

export function toHeldResponse(game: string, s: HeldSubmission): ScoreResponse {
  return {
    ...submitted(game, s),
    improved: false,
    best: s.bestOfWeek ?? null,
    previousBest: s.bestOfWeek ?? null,
    rank: null,
    boardSize: null,
    countryRank: null,
    allTime: { improved: false, best: s.bestOfAllTime ?? null, rank: null },
    resetsAt: resetsAt(boardOf(s.week)),
    ranked: false,
    held: true,
    replayed: s.replayed,
  };
}

/** Of a submission that the default boards do not see; `ranked`: Redis has taken what it brings to other boards. */
export const toValuesResponse = (game: string, s: ValuesSubmission, ranked: boolean): ScoreResponse => ({
  ...submitted(game, s),
  improved: false,
  best: null,
  previousBest: null,
  rank: null,
  boardSize: null,
  countryRank: null,
  allTime: { improved: false, best: null, rank: null },
  resetsAt: resetsAt(boardOf(s.week)),
  ranked,
  replayed: s.replayed,
});
