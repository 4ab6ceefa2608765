/** Entries of a page as the API shows them: with both ranks. */
import type { BoardEntry, Entry, TopResponse } from "../../contract/boards.ts";
import type { Board } from "../../domain/board/board.ts";
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

/** The same as reads show them: what a board ranks is called `value` on all boards. */
export const toBoardEntries = (page: BoardPage): BoardEntry[] =>
  toEntries(page).map((entry) => ({ ...entry, value: entry.points }));

type OfPeriod = Pick<TopResponse, "board" | "period" | "startsAt" | "resetsAt" | "state">;

/** What reads say of a board of every game. */
export function shownPeriod({ name, period }: Board, nowMs: number): OfPeriod {
  if (!period) return { board: name, period: "all", startsAt: null, resetsAt: null, state: "open" };
  const { startsAtMs, endsAtMs } = period;
  return {
    board: name,
    period: name,
    startsAt: new Date(startsAtMs).toISOString(),
    resetsAt: new Date(endsAtMs).toISOString(),
    state: nowMs < startsAtMs ? "upcoming" : nowMs < endsAtMs ? "open" : "closed",
  };
}
