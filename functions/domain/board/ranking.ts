/** Ranks and bests as plain rules: what improves a best, and what places follow from an ordered list. */

export type Best = {
  readonly points: number;
  /** Whole second, unix milliseconds. */
  readonly achievedAtMs: number;
};

/** True when `candidate` takes the place of `best`: more points, or as many at an earlier second. */
export function improves(candidate: Best, best: Best | undefined): boolean {
  if (!best) return true;
  if (candidate.points !== best.points) return candidate.points > best.points;
  return candidate.achievedAtMs < best.achievedAtMs;
}

export type Place = { readonly rank: number; readonly competitionRank: number };

/**
 * Places of consecutive entries of a board, given the first one's: rank counts on, competitionRank is shared by
 * equal points (101, 100, 100, 99 → 1, 2, 2, 4).
 */
export function placesFrom(first: Place, points: readonly number[]): Place[] {
  let shared = first.competitionRank;
  return points.map((value, index) => {
    const rank = first.rank + index;
    if (index > 0 && value !== points[index - 1]) shared = rank;
    return { rank, competitionRank: shared };
  });
}

/**
 * Share of the board at or below a place, in percent with two decimals: the first of ten has 100, the last 10. Rounding makes
 * only the first a 100 and none a 0: what comes between stays within 0.01 and 99.99.
 */
export function percentile(rank: number, boardSize: number): number {
  if (rank === 1) return 100;
  const hundredths = Math.round(((boardSize - rank + 1) / boardSize) * 10_000);
  return Math.min(9_999, Math.max(1, hundredths)) / 100;
}
