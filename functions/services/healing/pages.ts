/**
 * Boards of a game as Postgres has them, page by page, each page as what it is on its board in Redis and on the parts of it. A
 * position names the board and the last entry that was loaded, so that another request or tick goes on there.
 */
import { z } from "zod";
import { hasCountries, partOf, type Board, type Cursor } from "../../domain/board/board.ts";
import type { Part, PeriodBoard } from "../../domain/board/period-board.ts";
import { somePage } from "../page-size.ts";
import type { BestEntry, CountedBoard, Fill, HealingPorts, PartedEntry } from "./ports.ts";

const PAGE = 5_000;
/** Small boards that are read and loaded together. */
const MOST_TOGETHER = 300;
/** Position behind the last board. */
const END = "end";
/** Front of a position at which boards that the game defined are still emptied, up to the one that it names. */
const CLEARING = "clearing";

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

const Clearing = z.tuple([z.literal(CLEARING), z.object({ upTo: z.string() })]);

/** The position of a rebuild that has emptied the boards of the game's own up to this one. */
export const clearedPosition = (upTo: string): string => JSON.stringify([CLEARING, { upTo }]);

/** The last board that was emptied; undefined for what is no such position. */
export function clearedUpTo(position: string): string | undefined {
  try {
    return Clearing.parse(JSON.parse(position))[1].upTo;
  } catch {
    return undefined;
  }
}

/** Whether a rebuild can go on there, or begin. */
export const isPosition = (position: string): boolean =>
  position === "" || parsePosition(position) !== undefined || clearedUpTo(position) !== undefined;

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

/** `past`: the boards that are read to their end. */
type Filled = {
  readonly fills: readonly Fill[];
  readonly entries: number;
  readonly past: number;
  readonly after: Cursor | undefined;
};

/** A board whose entries are read page by page, by the name that positions have. */
type Source = {
  readonly name: string;
  /** A board that the game defined: small ones come together. */
  readonly counted: CountedBoard | undefined;
  page(after: Cursor | undefined, n: number): Promise<{ entries: readonly Cursor[]; fills: readonly Fill[] }>;
};

type SourceDeps = Pick<HealingPorts, "bests">;

const sourcesOf = (
  deps: SourceDeps,
  game: string,
  boards: readonly Board[],
  defined: readonly CountedBoard[],
): Source[] => [
  ...boards.map((board) => ({
    name: board.name,
    counted: undefined,
    async page(after: Cursor | undefined, n: number) {
      const entries = await deps.bests.page(game, board, after, n);
      return { entries, fills: fillsOf(board, entries) };
    },
  })),
  ...defined.map((counted) => ({
    name: counted.periodBoard.key,
    counted,
    async page(after: Cursor | undefined, n: number) {
      const entries = await deps.bests.entries(game, counted.periodBoard, after, n);
      return { entries, fills: periodFillsOf(counted.periodBoard, entries) };
    },
  })),
];

/** Of these boards, the first ones that one page has room for: none when the first is greater. */
export function together(boards: Iterable<CountedBoard | undefined>, n: number): PeriodBoard[] {
  const found: PeriodBoard[] = [];
  let players = 0;
  for (const counted of boards) {
    players += counted?.players ?? n;
    if (!counted || players >= n || found.length === MOST_TOGETHER) break;
    found.push(counted.periodBoard);
  }
  return found;
}

async function readTogether(deps: SourceDeps, game: string, boards: readonly PeriodBoard[]): Promise<Filled> {
  const found = await deps.bests.entriesOf(game, boards);
  let entries = 0;
  const fills = boards.flatMap((board) => {
    const own = found.get(board.key) ?? [];
    entries += own.length;
    return own.length > 0 ? periodFillsOf(board, own) : [];
  });
  return { fills, entries, past: boards.length, after: undefined };
}

/** Every page of the boards from a position on; the next one is read while the caller loads the one before. */
export async function* pagesFrom(
  deps: SourceDeps,
  game: string,
  boards: readonly Board[],
  defined: readonly CountedBoard[],
  position: string,
) {
  const sources = sourcesOf(deps, game, boards, defined);
  let { from, after } = readPosition(position, sources);
  const readNext = () => {
    const source = sources[from];
    if (source === undefined) return undefined;
    const [first, below] = [from, after];
    const read = async (n: number): Promise<Filled> => {
      const small = below ? [] : together(counted(sources, first), n);
      if (small.length > 1) return readTogether(deps, game, small);
      const { entries, fills } = await source.page(below, n);
      const last = entries.length === n ? entries.at(-1) : undefined;
      return { fills: entries.length > 0 ? fills : [], entries: entries.length, past: last ? 0 : 1, after: last };
    };
    return { source, reading: somePage(`rebuild ${game}`, PAGE, read) };
  };
  let next = readNext();
  while (next) {
    const { source } = next;
    const { page } = await next.reading;
    [from, after] = [from + page.past, page.after];
    const reached = after
      ? [source.name, after.points, after.achievedAtMs, after.player]
      : [sources[from]?.name ?? END];
    next = readNext();
    // Awaited a moment later; until then nothing listens to its failure.
    next?.reading.catch(() => undefined);
    yield { fills: page.fills, entries: page.entries, position: JSON.stringify(reached) };
  }
}

function* counted(sources: readonly Source[], from: number) {
  for (let i = from; i < sources.length; i++) yield sources[i]?.counted;
}
