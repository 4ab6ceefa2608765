/**
 * Brings a game that Redis lost back from Postgres, page by page, while submissions and reads go on.
 * docs/healing.md has the argument why "ready" then proves that the boards are complete.
 */
import { z } from "zod";
import { DependencyError } from "../../domain/errors.ts";
import { hasCountries, partOf, type Board, type Cursor } from "../../domain/board/board.ts";
import { boardsAt, currentBoard } from "../../domain/board/time.ts";
import { AFTER_RESPONSE_MS, timeIsUp } from "../limits.ts";
import { createMemory } from "../memory.ts";
import { somePage } from "../page-size.ts";
import { pushTop, type PushDeps } from "../live/push-top.ts";
import type { BestEntry, Fill, HealingPorts, Rebuild } from "./ports.ts";
import type { GamePorts } from "../games/ports.ts";
import type { Runtime } from "../runtime.ts";

const PAGE = 5_000;
const FEED_EVENTS = 1_000;
/**
 * A page's bests are read at most 2 s before the lease is renewed, so that what a page puts on a board is never older
 * than 9 s: less than the 10 s after which reconciling looks at a submission again.
 */
export const LEASE_MS = 7_000;
const GIVE_UP_LEASE_MS = 1;
/** Position behind the last board. */
const END = "end";

/**
 * `paused` at the deadline: the next request or tick goes on there. `lost`: Redis was emptied meanwhile, or is ready. `unknown`:
 * Postgres has no such game, and Redis has nothing of it any more.
 */
export type RebuildOutcome = "ready" | "busy" | "opened" | "paused" | "lost" | "unknown";

export type RebuildDeps = Pick<HealingPorts, "filler" | "bests"> & Pick<Runtime, "subrequests"> & PushDeps;

/** For rebuilding after the response. */
export type RebuildSoonDeps = RebuildDeps & Pick<Runtime, "background"> & Pick<GamePorts, "active">;

/** The board a page is of, and its last entry. */
const Position = z.tuple([z.string()]).rest(z.union([z.string(), z.number()]));
const After = z.tuple([z.int(), z.int(), z.string()]);

/** Board and last entry of the page that was loaded last; undefined for a new rebuild, or what is no position of ours. */
function parsePosition(position: string) {
  try {
    const [board, ...rest] = Position.parse(JSON.parse(position));
    return { board, entry: rest.length === 0 ? undefined : After.parse(rest) };
  } catch {
    return undefined;
  }
}

function readPosition(position: string, boards: readonly Board[]): { from: number; after: Cursor | undefined } {
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

/** Every page of the boards from a position on; the next one is read while the caller loads the one before. */
export async function* pagesFrom(
  deps: Pick<HealingPorts, "bests">,
  game: string,
  boards: readonly Board[],
  position: string,
) {
  let { from, after } = readPosition(position, boards);
  const readNext = () => {
    const board = boards[from];
    if (board === undefined) return undefined;
    const below = after;
    return { board, reading: somePage(`rebuild ${game}`, PAGE, (n) => deps.bests.page(game, board, below, n)) };
  };
  let next = readNext();
  while (next) {
    const { board } = next;
    const { n, page: entries } = await next.reading;
    const last = entries.at(-1);
    if (last && entries.length === n) after = last;
    else [from, after] = [from + 1, undefined];
    const reached = after ? [board.name, after.points, after.achievedAtMs, after.player] : [boards[from]?.name ?? END];
    next = readNext();
    // Awaited a moment later; until then nothing listens to its failure.
    next?.reading.catch(() => undefined);
    const fills = entries.length > 0 ? fillsOf(board, entries) : [];
    yield { fills, entries: entries.length, position: JSON.stringify(reached) };
  }
}

async function load(
  deps: RebuildDeps,
  game: string,
  begun: Rebuild,
  deadlineMs: number,
  loaded: (entries: number) => void,
): Promise<RebuildOutcome> {
  const kept = boardsAt(deps.clock.now());
  const isNew = parsePosition(begun.position) === undefined;
  const start = JSON.stringify([kept[0]?.name]);
  if (isNew && !(await deps.filler.clear(game, begun, LEASE_MS, kept, start))) return "lost";
  // Asked when the boards are empty, not before: what was ranked until then is gone from them and has to be loaded, what
  // comes now stays.
  const boards = await deps.bests.boards(game, kept);
  if (!boards) {
    await removeGame(deps, game);
    return "unknown";
  }
  for await (const page of pagesFrom(deps, game, boards, begun.position)) {
    const pausing = timeIsUp(deps, deadlineMs);
    const lease = pausing ? GIVE_UP_LEASE_MS : LEASE_MS;
    if (!(await deps.filler.page(game, begun, lease, page.position, page.fills))) return "lost";
    loaded(page.entries);
    if (pausing) return "paused";
  }
  const [{ page: events }, moderated] = await Promise.all([
    somePage(`feed ${game}`, FEED_EVENTS, (n) => deps.bests.newest(game, n)),
    deps.bests.moderated(game),
  ]);
  return (await deps.filler.finish(game, begun, moderated, events.toReversed())) ? "opened" : "lost";
}

/** Goes on with a rebuild that has begun, until the game is complete or the deadline is there. */
export async function continueRebuild(
  deps: RebuildDeps,
  game: string,
  begun: Rebuild,
  deadlineMs: number,
  loaded: (entries: number) => void = () => undefined,
): Promise<RebuildOutcome> {
  const outcome = await load(deps, game, begun, deadlineMs, loaded);
  if (outcome === "opened") await pushTop(deps, game, currentBoard(deps.clock.now()).name).catch(ignoreOutage);
  return outcome;
}

/** Removes from Redis what is there of a game that Postgres does not know: nothing else would. */
export const removeGame = (deps: Pick<HealingPorts, "filler"> & Pick<Runtime, "clock">, game: string): Promise<void> =>
  deps.filler.removeGame(game, boardsAt(deps.clock.now()));

/** Starts or continues the rebuild of a game that Redis does not have; one at a time, however many ask. */
export async function rebuildGame(
  deps: RebuildDeps,
  game: string,
  deadlineMs: number,
  loaded?: (entries: number) => void,
): Promise<RebuildOutcome> {
  const begun = await deps.filler.begin(game, LEASE_MS);
  if (begun === "ready" || begun === "busy") return begun;
  return continueRebuild(deps, game, begun, deadlineMs, loaded);
}

/** The room is told by the next change or the next viewer. */
function ignoreOutage(error: unknown): void {
  if (!(error instanceof DependencyError)) throw error;
}

/** When this isolate last looked after a game: plain values, so sharing them between requests is safe. */
const looked = createMemory<number>();
const LOOK_EVERY_MS = 500;

/** Goes on with a rebuild after the response. */
export function continueSoon(deps: RebuildDeps & Pick<Runtime, "background">, game: string, begun: Rebuild): void {
  const deadlineMs = deps.clock.now() + AFTER_RESPONSE_MS;
  deps.background.run("rebuild", async () => {
    await continueRebuild(deps, game, begun, deadlineMs);
  });
}

/** Rebuilds after the response; a thousand requests that notice at once cost one look. */
export function rebuildSoon(deps: RebuildSoonDeps, game: string): void {
  const now = deps.clock.now();
  if (now - (looked.get(game) ?? 0) < LOOK_EVERY_MS) return;
  looked.set(game, now);
  deps.background.run("rebuild", async () => {
    const outcome = await rebuildGame(deps, game, now + AFTER_RESPONSE_MS);
    if (outcome !== "ready") return;
    // What only moderation and the end of a rebuild write may be lost all the same; what else is missing, a tick finds.
    await deps.filler.fill(game, await deps.bests.moderated(game), []);
    await deps.active.mark(game);
  });
}
