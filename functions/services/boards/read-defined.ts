/** Reads of boards that a game defined, from Postgres. */
import type {
  DefinedAroundResponse,
  DefinedCountResponse,
  DefinedStandingResponse,
  DefinedTopResponse,
  ValueEntry,
} from "../../contract/board-reads.ts";
import type { RawEntry } from "../../domain/board/board.ts";
import { percentile, placesFrom } from "../../domain/board/ranking.ts";
import type { BoardRule } from "../../domain/board/rule.ts";
import { valueOf, valuesOf } from "../../domain/board/strength.ts";
import { DomainError } from "../../domain/errors.ts";
import { orUnavailable } from "../or-unavailable.ts";
import { decodeEntryCursor, encodeCursor } from "./cursor.ts";
import type { DefinedDeps, Named } from "./defined-board.ts";
import type { EntryPage } from "./defined-ports.ts";

const NOT_READ = "The board cannot be read right now. Try again shortly.";

const toEntry = (rule: BoardRule, { player, points, achievedAtMs }: RawEntry) => ({
  player,
  value: rule.parts ? null : valueOf(rule, points),
  values: valuesOf(rule, points),
  achievedAt: rule.tie === "id" ? null : new Date(achievedAtMs).toISOString(),
});

function toEntries(rule: BoardRule, page: EntryPage): ValueEntry[] {
  const first = { rank: page.firstRank, competitionRank: page.firstCompetitionRank };
  const places = placesFrom(
    first,
    page.entries.map(({ points }) => points),
  );
  return page.entries.map((entry, i) => ({ ...first, ...places[i], ...toEntry(rule, entry) }));
}

/** A page from the first place on, or behind a cursor. */
export async function readDefinedTop(
  deps: DefinedDeps,
  game: string,
  { stored, part, rule, shown }: Named,
  n: number,
  cursor: string | undefined,
): Promise<DefinedTopResponse> {
  const after = cursor === undefined ? undefined : decodeEntryCursor(cursor);
  const page = await orUnavailable(deps.entries.top(game, stored, part, n, after), NOT_READ);
  const last = page.entries.at(-1);
  const more = last !== undefined && page.firstRank + page.entries.length - 1 < page.boardSize;
  return {
    ...shown,
    boardSize: page.boardSize,
    entries: toEntries(rule, page),
    next: more ? encodeCursor(last) : null,
  };
}

/** The player's entry and up to `k` on each side. Throws DomainError `not-ranked`. */
export async function readDefinedAround(
  deps: DefinedDeps,
  game: string,
  { stored, part, rule, shown }: Named,
  player: string,
  k: number,
): Promise<DefinedAroundResponse> {
  const page = await orUnavailable(deps.entries.around(game, stored, part, player, k), NOT_READ);
  const entries = toEntries(rule, page);
  const entry = entries.find((one) => one.player === player);
  if (!entry) throw new DomainError("not-ranked", `The player "${player}" is not on this board.`);
  return { ...shown, boardSize: page.boardSize, entry, entries };
}

/** Throws DomainError `not-ranked`. */
export async function readDefinedStanding(
  deps: DefinedDeps,
  game: string,
  board: Named,
  player: string,
): Promise<DefinedStandingResponse> {
  const { entry, entries: _, ...shown } = await readDefinedAround(deps, game, board, player, 0);
  return { ...shown, ...entry, percentile: percentile(entry.rank, shown.boardSize) };
}

export async function readDefinedCount(
  deps: DefinedDeps,
  game: string,
  { stored, part, shown }: Named,
): Promise<DefinedCountResponse> {
  const ranked = await orUnavailable(deps.entries.count(game, stored, part), NOT_READ);
  return { ...shown, boardSize: ranked, estimate: ranked, ranked };
}
