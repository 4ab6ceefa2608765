/**
 * Brings a game that Redis lost back from Postgres, page by page, while submissions and reads go on.
 * docs/healing.md has the argument why "ready" then proves that the boards are complete.
 */
import { DependencyError } from "../../domain/errors.ts";
import { isKept } from "../../domain/board/period-board.ts";
import { boardsAt, currentBoard } from "../../domain/board/time.ts";
import { AFTER_RESPONSE_MS, timeIsUp } from "../limits.ts";
import { createMemory } from "../memory.ts";
import { somePage } from "../page-size.ts";
import { pushTop, type PushDeps } from "../live/push-top.ts";
import { clearedPosition, clearedUpTo, pagesFrom, parsePosition, together } from "./pages.ts";
import type { CountedBoard, HealingPorts, Rebuild } from "./ports.ts";
import type { GamePorts } from "../games/ports.ts";
import type { Runtime } from "../runtime.ts";

const FEED_EVENTS = 1_000;
/** Players of the boards whose parts are asked for at once. */
const PARTS_OF_PLAYERS = 100_000;
/**
 * A page's bests are read at most 2 s before the lease is renewed, so that what a page puts on a board is never older
 * than 9 s: less than the 10 s after which reconciling looks at a submission again.
 */
export const LEASE_MS = 7_000;
const GIVE_UP_LEASE_MS = 1;

/**
 * `paused` at the deadline: the next request or tick goes on there. `lost`: Redis was emptied meanwhile, or is ready. `unknown`:
 * Postgres has no such game, and Redis has nothing of it any more.
 */
export type RebuildOutcome = "ready" | "busy" | "opened" | "paused" | "lost" | "unknown";

export type RebuildDeps = Pick<HealingPorts, "filler" | "bests"> & Pick<Runtime, "subrequests"> & PushDeps;

/** For rebuilding after the response. */
export type RebuildSoonDeps = RebuildDeps & Pick<Runtime, "background"> & Pick<GamePorts, "active">;

const keptOf = (deps: Pick<Runtime, "clock">, defined: readonly CountedBoard[]) =>
  defined.filter(({ periodBoard }) => isKept(periodBoard, deps.clock.now()));

/** Emptying begins with the boards of the game's own, of which there may be one for each song, and notes how far it came. */
async function clear(
  deps: RebuildDeps,
  game: string,
  begun: Rebuild,
  deadlineMs: number,
): Promise<"cleared" | "paused" | "lost"> {
  const kept = boardsAt(deps.clock.now());
  const known = await deps.bests.boards(game, kept);
  const upTo = clearedUpTo(begun.position) ?? "";
  let open = keptOf(deps, known?.defined ?? []).filter(({ periodBoard }) => periodBoard.key > upTo);
  while (open.length > 0) {
    const pausing = timeIsUp(deps, deadlineMs);
    const lease = pausing ? GIVE_UP_LEASE_MS : LEASE_MS;
    const { page: some } = await somePage(`parts ${game}`, PARTS_OF_PLAYERS, (n) => {
      const small = together(open, n);
      return deps.bests.parted(game, small.length > 0 ? small : open.slice(0, 1).map((one) => one.periodBoard));
    });
    const position = clearedPosition(some.at(-1)?.periodBoard.key ?? "");
    if (!(await deps.filler.clear(game, begun, lease, [], some, position))) return "lost";
    if (pausing) return "paused";
    open = open.slice(some.length);
  }
  return (await deps.filler.clear(game, begun, LEASE_MS, kept, [], JSON.stringify([kept[0]?.name])))
    ? "cleared"
    : "lost";
}

async function load(
  deps: RebuildDeps,
  game: string,
  begun: Rebuild,
  deadlineMs: number,
  loaded: (entries: number) => void,
): Promise<RebuildOutcome> {
  if (parsePosition(begun.position) === undefined) {
    const outcome = await clear(deps, game, begun, deadlineMs);
    if (outcome !== "cleared") return outcome;
  }
  // Asked when the boards are empty, not before: what was ranked until then is gone from them and has to be loaded, what
  // comes now stays.
  const found = await deps.bests.boards(game, boardsAt(deps.clock.now()));
  if (!found) {
    await removeGame(deps, game);
    return "unknown";
  }
  const defined = keptOf(deps, found.defined).filter(({ players }) => players > 0);
  for await (const page of pagesFrom(deps, game, found.boards, defined, begun.position)) {
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
