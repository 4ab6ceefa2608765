/** What the whole system promises, as a list of submissions and nothing else: every board is folded anew from it. */

export type Row = {
  readonly submissionId: string;
  readonly player: string;
  readonly points: number;
  readonly atMs: number;
  readonly week: string;
  /** Undefined is none. */
  readonly country: string | undefined;
};

export type Place = {
  readonly player: string;
  readonly points: number;
  readonly second: number;
  readonly rank: number;
  readonly competitionRank: number;
};

/** Submissions that count, in the order in which they were accepted. */
export type Rows = readonly Row[];

const secondOf = (row: Row) => Math.floor(row.atMs / 1000);
const byBytesDescending = (a: string, b: string) => Buffer.compare(Buffer.from(b), Buffer.from(a));

/** The country a player has in a week: that of their last submission that names one. */
export function countryIn(rows: Rows, week: string, player: string): string | undefined {
  return rows.findLast((row) => row.week === week && row.player === player && row.country !== undefined)?.country;
}

/** Every submission of a board; of a country's board those of the players who have that country in the week. */
function submissionsOn(rows: Rows, board: string, country: string | undefined): Rows {
  if (board === "all-time") return rows;
  const ofWeek = rows.filter((row) => row.week === board);
  return country === undefined ? ofWeek : ofWeek.filter((row) => countryIn(rows, board, row.player) === country);
}

/** A board: best submission of each player, more points first, then the earlier second, then the higher id. */
export function boardOf(rows: Rows, board: string, country?: string): Place[] {
  const best = new Map<string, Row>();
  const ranked = submissionsOn(rows, board, country).toSorted(
    (a, b) => b.points - a.points || secondOf(a) - secondOf(b) || byBytesDescending(a.player, b.player),
  );
  for (const row of ranked) if (!best.has(row.player)) best.set(row.player, row);
  const points = [...best.values()].map((row) => row.points);
  return [...best.values()].map((row, i) => ({
    player: row.player,
    points: row.points,
    second: secondOf(row),
    rank: i + 1,
    competitionRank: points.indexOf(row.points) + 1,
  }));
}

export function placeOf(rows: Rows, board: string, player: string, country?: string): Place | undefined {
  return boardOf(rows, board, country).find((place) => place.player === player);
}

/** The 2k+1 places around a player, shifted at the edges so that the window stays full. */
export function windowOf(places: readonly Place[], player: string, k: number): Place[] {
  const at = places.findIndex((place) => place.player === player);
  let [from, to] = [at - k, at + k];
  if (from < 0) [from, to] = [0, to - from];
  if (to > places.length - 1) [from, to] = [from - (to - places.length + 1), places.length - 1];
  return places.slice(Math.max(0, from), to + 1);
}

/** What a submission must say of one board: the player's best before and after it, and whether it made it better. */
export function effectOf(before: Rows, after: Rows, board: string, player: string) {
  const [was, is] = [placeOf(before, board, player), placeOf(after, board, player)];
  const improved = is !== undefined && (is.points !== was?.points || is.second !== was.second);
  return { improved, best: is?.points, previousBest: was?.points ?? null };
}
