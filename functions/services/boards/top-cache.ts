/**
 * Pages of tops, kept for a second in the isolate's memory. A reader sees a board at most a second old; a player who submits
 * through the same isolate sees the change at once.
 */
import { LRUCache } from "lru-cache";
import { MAX_ENTRIES } from "../../contract/boards.ts";
import { createMemory } from "../memory.ts";
import type { Sourced } from "./ports.ts";

const KEPT_MS = 1_000;
/** By measurement, with room to spare: a page without entries. */
const BYTES_A_PAGE = 1_000;
/** Looking for what is too old costs a look at each page. */
const SWEEP_EVERY_MS = 5_000;

/** A page as it is answered. */
export type TopOf<Head, E> = Head & {
  readonly boardSize: number;
  readonly version: string;
  readonly entries: E[];
  readonly next: string | null;
};
type AnyTop = { readonly entries: readonly { readonly player: string }[] };

export type Tops<T> = {
  /** The page, if it is fresh. */
  get(generation: Generation, page: string, nowMs: number): Sourced<T> | undefined;
  /** Keeps a page for a second. */
  set(generation: Generation, page: string, answer: Sourced<T>, nowMs: number): void;
};

/** Pages of one kind of boards; `bytesAnEntry` without the player, by measurement and with room to spare. */
export function createTops<T extends AnyTop>(mostBytes: number, bytesAnEntry: number): Tops<T> {
  type Page = { readonly answer: Sourced<T>; readonly until: number };
  const sizeOf = ({ answer }: Page) =>
    answer.body.entries.reduce((bytes, { player }) => bytes + bytesAnEntry + 2 * player.length, BYTES_A_PAGE);
  const pages = new LRUCache<string, Page>({ maxSize: mostBytes, sizeCalculation: sizeOf });
  let sweptMs = 0;

  function sweep(nowMs: number): void {
    sweptMs = nowMs;
    for (const [key, { until }] of pages.entries()) if (until <= nowMs) pages.delete(key);
  }

  return {
    get(generation, page, nowMs) {
      const kept = pages.get(`${generation} ${page}`);
      return kept !== undefined && kept.until > nowMs ? kept.answer : undefined;
    },
    set(generation, page, answer, nowMs) {
      if (nowMs - sweptMs > SWEEP_EVERY_MS) sweep(nowMs);
      pages.set(`${generation} ${page}`, { answer, until: nowMs + KEPT_MS });
    },
  };
}

/**
 * Which pages of a game count: those of its present generation. A change begins a new one, so that a slow read which began before
 * the change cannot bring an old page back.
 */
const generations = createMemory<number>();
let newest = 0;

/** Of a game, or of a board of it, at a moment. */
export type Generation = string;

function newGeneration(of: string): number {
  newest += 1;
  generations.set(of, newest);
  return newest;
}

/** The present generation of a game, or of a board of it. */
export const generationOf = (of: string): Generation => `${of} ${generations.get(of) ?? newGeneration(of)}`;

const boardOf = (game: string, key: string) => `${game}\n${key}`;

/** The same of a board that the game defined, by its key: its pages are dropped with the game's, and alone. */
export const generationOfBoard = (game: string, key: string): Generation =>
  `${generationOf(game)} ${generationOf(boardOf(game, key))}`;

/** Drops the pages of some boards that the game defined, by their keys. */
export function dropBoardTops(game: string, keys: Iterable<string>): void {
  for (const key of new Set(keys)) newGeneration(boardOf(game, key));
}

/** Drops a game's pages, if one of these places shows on them; without places, anyway. */
export function dropTops(game: string, ranks: readonly (number | undefined)[] = [1]): void {
  if (ranks.some((rank) => rank !== undefined && rank <= MAX_ENTRIES)) newGeneration(game);
}
