/**
 * Pages of tops, kept for a second in the isolate's memory: plain values, so sharing them between requests is safe.
 * A reader sees a board at most a second old; whoever submits through the same isolate sees the change at once.
 */
import { MAX_ENTRIES, type TopResponse } from "../contract/boards.ts";
import type { Sourced } from "./read-boards.ts";

const KEPT_MS = 1_000;
const MOST_GAMES = 1_000;
const MOST_PAGES = 100;

/** The pages of one game. Forgetting replaces the whole shelf, so a slow read that began before cannot bring an old
 * page back: it writes to the shelf that nobody looks at any more. */
export type Shelf = Map<string, { readonly answer: Sourced<TopResponse>; readonly until: number }>;

const shelves = new Map<string, Shelf>();

/** The game's shelf as it is now. */
export function shelfOf(game: string): Shelf {
  let shelf = shelves.get(game);
  if (!shelf) {
    if (shelves.size >= MOST_GAMES) shelves.clear();
    shelf = new Map();
    shelves.set(game, shelf);
  }
  return shelf;
}

/** The page, if it is fresh. */
export function recall(shelf: Shelf, page: string, nowMs: number): Sourced<TopResponse> | undefined {
  const kept = shelf.get(page);
  return kept !== undefined && kept.until > nowMs ? kept.answer : undefined;
}

/** Keeps a page for a second. */
export function keep(shelf: Shelf, page: string, answer: Sourced<TopResponse>, nowMs: number): void {
  if (shelf.size >= MOST_PAGES) shelf.clear();
  shelf.set(page, { answer, until: nowMs + KEPT_MS });
}

/** Forgets a game's pages, if one of these places shows on them; without places, anyway. */
export function forget(game: string, ranks: readonly (number | undefined)[] = [1]): void {
  if (ranks.some((rank) => rank !== undefined && rank <= MAX_ENTRIES)) shelves.delete(game);
}
