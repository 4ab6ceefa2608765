/** Entries of a page as the API shows them: with both ranks. */
import type { Entry } from "../../contract/boards.ts";
import { placesFrom } from "../../domain/board/ranking.ts";
import type { BoardPage } from "./ports.ts";

export function toEntries(page: BoardPage): Entry[] {
  const places = placesFrom(
    { rank: page.firstRank, competitionRank: page.firstCompetitionRank },
    page.entries.map((entry) => entry.points),
  );
  return page.entries.map((entry, i) => ({
    rank: places[i]?.rank ?? 0,
    competitionRank: places[i]?.competitionRank ?? 0,
    player: entry.player,
    points: entry.points,
    achievedAt: new Date(entry.achievedAtMs).toISOString(),
  }));
}
