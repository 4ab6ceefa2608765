/** Brings a game that Redis lost back from Postgres, while submissions and reads go on. */
import { keptWeeks } from "../domain/week.ts";
import type { BoardRef, Cursor, Deps, RawEntry } from "./ports.ts";

const PAGE = 2_000;
const FEED_EVENTS = 1_000;
const LEASE_MS = 30_000;

/** Loads one board (and the week's country boards) page by page, best places first. */
async function loadBoard(deps: Deps, game: string, board: string): Promise<void> {
  let after: Cursor | undefined;
  for (;;) {
    const page = await deps.bests.page(game, board, after, PAGE);
    if (page.length === 0) return;
    await loadPage(deps, game, board, page);
    if (page.length < PAGE) return;
    after = page.at(-1);
  }
}

async function loadPage(
  deps: Deps,
  game: string,
  board: string,
  page: readonly (RawEntry & { country: string | undefined })[],
): Promise<void> {
  if (board === "all-time") {
    await deps.ranking.load(game, { kind: "all-time" }, page);
    return;
  }
  const ref = (country: string | undefined): BoardRef => ({ kind: "week", week: board, country });
  await deps.ranking.load(game, ref(undefined), page);
  for (const [country, entries] of Map.groupBy(page, (entry) => entry.country)) {
    if (country !== undefined) await deps.ranking.load(game, ref(country), entries);
  }
}

/**
 * Loads every board that Redis keeps and then declares the game complete. Safe to run twice and beside submissions:
 * loading only raises entries, and whoever improves meanwhile writes their own.
 */
export async function rebuildGame(deps: Deps, game: string): Promise<void> {
  if (!(await deps.ranking.leaseRebuild(game, LEASE_MS))) return;
  for (const board of [...keptWeeks(deps.clock.now()), "all-time"]) await loadBoard(deps, game, board);
  const events = await deps.bests.newest(game, FEED_EVENTS);
  await deps.ranking.open(game, events.toReversed());
}

/** Starts the rebuild after the response. */
export function rebuildSoon(deps: Deps, game: string): void {
  deps.background.run("rebuild", () => rebuildGame(deps, game));
}
