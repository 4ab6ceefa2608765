/**
 * Boards of a game as Postgres has them, page by page, each page as what it is on its board in Redis and on the parts of it. A
 * position names the board and the last entry that was loaded, so that another request or tick goes on there.
 */
import { z } from "zod";
import { hasCountries, partOf, type Board, type Cursor } from "../../domain/board/board.ts";
import type { Part, PeriodBoard } from "../../domain/board/period-board.ts";
import { somePage } from "../page-size.ts";
import type { BestEntry, Fill, HealingPorts, PartedEntry } from "./ports.ts";

const PAGE = 5_000;
/** Position behind the last board. */
const END = "end";

/** The board a page is of, and its last entry. */
const Position = z.tuple([z.string()]).rest(z.union([z.string(), z.number()]));
const After = z.tuple([z.int(), z.int(), z.string()]);

/** Board and last entry of the page that was loaded last; undefined for a new rebuild, or what is no position of ours. */
export function parsePosition(position: string) {
  try {
    const [board, ...rest] = Position.parse(JSON.parse(position));
    return { board, entry: rest.length === 0 ? undefined : After.parse(rest) };
  } catch {
    return undefined;
  }
}

/** Where to read on in boards of these names. */
function readPosition(position: string, boards: readonly Source[]): { from: number; after: Cursor | undefined } {
  const parsed = parsePosition(position);
  if (!parsed) return { from: 0, after: undefined };
  const { board, entry } = parsed;
  if (board === END) return { from: boards.length, after: undefined };
  // A board that expired while the rebuild rested: all over again, which is always right.
  const from = Math.max(
    0,
    boards.findIndex(({ name }) => name === board),
  );
  if (!entry || boards[from]?.name !== board) return { from, after: undefined };
  const [points, achievedAtMs, player] = entry;
  return { from, after: { points, achievedAtMs, player } };
}

/** Whether a rebuild can go on there, or begin. */
export const isPosition = (position: string): boolean => position === "" || parsePosition(position) !== undefined;

/** What a page of bests is on its board and on the parts of it. */
export function fillsOf(board: Board, entries: readonly BestEntry[]): Fill[] {
  const fills: Fill[] = [{ board, entries, removals: [] }];
  if (!hasCountries(board)) return fills;
  for (const [country, of] of Map.groupBy(entries, (entry) => entry.country)) {
    if (country !== undefined) fills.push({ board: partOf(board, country), entries: of, removals: [] });
  }
  return fills;
}

/** What the entries of a board that the game defined are on it and on its parts; players come off the parts that they left. */
export function periodFillsOf(periodBoard: PeriodBoard, entries: readonly PartedEntry[]): Fill[] {
  const fills: Fill[] = [{ periodBoard, part: undefined, entries, removals: [] }];
  const byPart = new Map<string, { part: Part; entries: PartedEntry[]; removals: string[] }>();
  const of = (part: Part) => {
    const word = `${part.segment}=${part.value}`;
    const known = byPart.get(word) ?? { part, entries: [], removals: [] };
    byPart.set(word, known);
    return known;
  };
  for (const entry of entries) {
    for (const part of entry.parts) of(part).entries.push(entry);
    for (const part of entry.leftParts) of(part).removals.push(entry.player);
  }
  return [...fills, ...[...byPart.values()].map((one) => ({ periodBoard, ...one }))];
}

type Filled = { readonly last: Cursor | undefined; readonly count: number; readonly fills: readonly Fill[] };

/** A board whose entries are read page by page, by the name that positions have. */
type Source = { readonly name: string; page(after: Cursor | undefined, n: number): Promise<Filled> };

const filled = (entries: readonly Cursor[], fills: readonly Fill[]): Filled => ({
  last: entries.at(-1),
  count: entries.length,
  fills: entries.length > 0 ? fills : [],
});

type SourceDeps = Pick<HealingPorts, "bests">;

const sourcesOf = (
  deps: SourceDeps,
  game: string,
  boards: readonly Board[],
  defined: readonly PeriodBoard[],
): Source[] => [
  ...boards.map((board) => ({
    name: board.name,
    async page(after: Cursor | undefined, n: number) {
      const entries = await deps.bests.page(game, board, after, n);
      return filled(entries, fillsOf(board, entries));
    },
  })),
  ...defined.map((board) => ({
    name: board.key,
    async page(after: Cursor | undefined, n: number) {
      const entries = await deps.bests.entries(game, board, after, n);
      return filled(entries, periodFillsOf(board, entries));
    },
  })),
];

/** Every page of the boards from a position on; the next one is read while the caller loads the one before. */
export async function* pagesFrom(
  deps: SourceDeps,
  game: string,
  boards: readonly Board[],
  defined: readonly PeriodBoard[],
  position: string,
) {
  const sources = sourcesOf(deps, game, boards, defined);
  let { from, after } = readPosition(position, sources);
  const readNext = () => {
    const source = sources[from];
    if (source === undefined) return undefined;
    const below = after;
    return { source, reading: somePage(`rebuild ${game}`, PAGE, (n) => source.page(below, n)) };
  };
  let next = readNext();
  while (next) {
    const { source } = next;
    const { n, page } = await next.reading;
    const { last, count, fills } = page;
    if (last && count === n) after = last;
    else [from, after] = [from + 1, undefined];
    const reached = after
      ? [source.name, after.points, after.achievedAtMs, after.player]
      : [sources[from]?.name ?? END];
    next = readNext();
    // Awaited a moment later; until then nothing listens to its failure.
    next?.reading.catch(() => undefined);
    yield { fills, entries: count, position: JSON.stringify(reached) };
  }
}
