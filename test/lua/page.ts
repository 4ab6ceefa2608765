/** Reads the reply of `top`, `around` and `push`. */

export type Best = { readonly points: number; readonly at: number };
export type Entry = Best & { readonly player: string };

export function pageOf(reply: readonly string[]) {
  const [status, boardSize, version, firstRank, firstCompetitionRank, ...flat] = reply;
  const found: Entry[] = [];
  for (let i = 0; i < flat.length; i += 3) {
    found.push({ player: flat[i] ?? "", points: Number(flat[i + 1]), at: Number(flat[i + 2]) });
  }
  return {
    status,
    boardSize: Number(boardSize),
    version,
    firstRank: Number(firstRank),
    firstCompetitionRank: Number(firstCompetitionRank),
    entries: found,
    players: found.map(({ player }) => player),
  };
}
