/**
 * Pages of tops, kept for a second in the isolate's memory. A reader sees a board at most a second old; a player who submits
 * through the same isolate sees the change at once.
 */
import { LRUCache } from "lru-cache";
import { MAX_ENTRIES, type TopResponse } from "../../contract/boards.ts";
import { createMemory } from "../memory.ts";
import type { Sourced } from "./ports.ts";

const KEPT_MS = 1_000;
const MOST_BYTES = 16_000_000;
/** By measurement, with room to spare: a page without entries, and an entry without its player. */
const BYTES_A_PAGE = 1_000;
const BYTES_AN_ENTRY = 176;
/** Looking for what is too old costs a look at each page. */
const SWEEP_EVERY_MS = 5_000;

type Page = { readonly answer: Sourced<TopResponse>; readonly until: number };

const sizeOf = ({ answer }: Page) =>
  answer.body.entries.reduce((bytes, { player }) => bytes + BYTES_AN_ENTRY + 2 * player.length, BYTES_A_PAGE);

const pages = new LRUCache<string, Page>({ maxSize: MOST_BYTES, sizeCalculation: sizeOf });
let sweptMs = 0;

/**
 * Which pages of a game count: those of its present generation. A change begins a new one, so that a slow read which began before
 * the change cannot bring an old page back.
 */
const generations = createMemory<number>();
let newest = 0;

/** Of a game, at a moment. */
export type Generation = string;

function newGeneration(game: string): number {
  newest += 1;
  generations.set(game, newest);
  return newest;
}

/** The game's present generation. */
export const generationOf = (game: string): Generation => `${game} ${generations.get(game) ?? newGeneration(game)}`;

/** The page, if it is fresh. */
export function getTop(generation: Generation, page: string, nowMs: number): Sourced<TopResponse> | undefined {
  const kept = pages.get(`${generation} ${page}`);
  return kept !== undefined && kept.until > nowMs ? kept.answer : undefined;
}

/** Keeps a page for a second. */
export function setTop(generation: Generation, page: string, answer: Sourced<TopResponse>, nowMs: number): void {
  if (nowMs - sweptMs > SWEEP_EVERY_MS) sweep(nowMs);
  pages.set(`${generation} ${page}`, { answer, until: nowMs + KEPT_MS });
}

function sweep(nowMs: number): void {
  sweptMs = nowMs;
  for (const [key, { until }] of pages.entries()) if (until <= nowMs) pages.delete(key);
}

/** Drops a game's pages, if one of these places shows on them; without places, anyway. */
export function dropTops(game: string, ranks: readonly (number | undefined)[] = [1]): void {
  if (ranks.some((rank) => rank !== undefined && rank <= MAX_ENTRIES)) newGeneration(game);
}
