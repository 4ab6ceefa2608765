/** Entries of a page as the API shows them: with both ranks. */
import type { ValueEntry } from "../../contract/board-reads.ts";
import type { BoardEntry, Entry } from "../../contract/boards.ts";
import type { RawEntry } from "../../domain/board/board.ts";
import { placesFrom, type Place } from "../../domain/board/ranking.ts";
import type { BoardRule } from "../../domain/board/rule.ts";
import { valueOf, valuesOf } from "../../domain/board/strength.ts";
import type { BoardPage } from "./ports.ts";

function placed<E>({ firstRank, firstCompetitionRank, entries }: BoardPage, show: (entry: RawEntry, at: Place) => E) {
  const first = { rank: firstRank, competitionRank: firstCompetitionRank };
  const places = placesFrom(
    first,
    entries.map(({ points }) => points),
  );
  return entries.map((entry, i) => show(entry, places[i] ?? first));
}

export const toEntries = (page: BoardPage): Entry[] =>
  placed(page, ({ player, points, achievedAtMs }, { rank, competitionRank }) => ({
    rank,
    competitionRank,
    player,
    points,
    achievedAt: new Date(achievedAtMs).toISOString(),
  }));

/** The same as reads show them: what a board ranks is called `value` on all boards. */
export const toBoardEntries = (page: BoardPage): BoardEntry[] =>
  toEntries(page).map((entry) => ({ ...entry, value: entry.points }));

/** The same of a board that the game defined, whose entries have strengths. */
export const toValueEntries = (rule: BoardRule, page: BoardPage): ValueEntry[] =>
  placed(page, ({ player, points, achievedAtMs }, { rank, competitionRank }) => ({
    rank,
    competitionRank,
    player,
    value: rule.parts ? null : valueOf(rule, points),
    values: valuesOf(rule, points),
    achievedAt: rule.tie === "id" ? null : new Date(achievedAtMs).toISOString(),
  }));
