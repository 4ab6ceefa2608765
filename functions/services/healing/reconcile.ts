/**
 * Finds submissions that Redis has not seen and brings their boards and events there; docs/healing.md has the argument.
 * Called for busy games only: an idle game costs Postgres nothing.
 */
import { timeIsUp } from "../limits.ts";
import { somePage } from "../page-size.ts";
import { pushTop } from "../live/push-top.ts";
import { fillsOf, periodFillsOf } from "./pages.ts";
import { rebuildGame, type RebuildDeps } from "./rebuild.ts";
import type { Fill, HealingPorts, WindowBest, WindowEntry, Witness } from "./ports.ts";
import { boardOf, partOf } from "../../domain/board/board.ts";
import type { PeriodBoard } from "../../domain/board/period-board.ts";
import { boardsAt, keptBoards } from "../../domain/board/time.ts";
import { inspectGame, isDamage, type InspectDeps } from "./inspect.ts";
import type { Runtime } from "../runtime.ts";

const PAGE = 1_000;
/** Boards that the game defined, of those that the submissions were on. */
const MOST_COMPARED = 50;
/** The feed's newest entries, with a margin for trimming by whole nodes: missing there means never added. */
const SURE_PART_OF_FEED = 0.8;
const MOST_EVENTS = 800;

export type ReconcileDeps = RebuildDeps &
  InspectDeps &
  Pick<HealingPorts, "reconciliations"> &
  Pick<Runtime, "background">;

/** Players come off the boards of the countries they left and get on all others with what Postgres says. */
function windowFills(bests: readonly WindowBest[]): Fill[] {
  const fills: Fill[] = [];
  for (const [name, entries] of Map.groupBy(bests, (best) => best.board.name)) {
    const board = boardOf(name);
    fills.push(...fillsOf(board, entries));
    const left = entries.flatMap(({ player, leftCountries }) => leftCountries.map((country) => ({ country, player })));
    for (const [country, players] of Map.groupBy(left, (one) => one.country)) {
      const removals = players.map(({ player }) => player);
      fills.push({ board: partOf(board, country), entries: [], removals });
    }
  }
  return fills;
}

/** The same on boards that the game defined. */
const entryFills = (entries: readonly WindowEntry[]): Fill[] =>
  [...Map.groupBy(entries, ({ periodBoard }) => periodBoard.key).values()].flatMap((all) => {
    const [first] = all;
    return first ? periodFillsOf(first.periodBoard, all) : [];
  });

async function addMissingEvents(deps: ReconcileDeps, game: string, after: string, before: string, feedLength: number) {
  const n = Math.min(MOST_EVENTS, Math.floor(feedLength * SURE_PART_OF_FEED));
  if (n === 0) return;
  const { page: events } = await somePage(`events ${game}`, n, (some) =>
    deps.reconciliations.newest(game, after, before, some),
  );
  if (events.length > 0) await deps.ranking.ensureEvents(game, events.toReversed());
}

/** The latest best of each board and country that was set by a submission up to `to`. */
class Witnesses {
  readonly #latest = new Map<string, Witness>();

  add(bests: readonly WindowBest[], to: string): void {
    for (const { board, country, player, submissionId } of bests) {
      if (submissionId > to) continue;
      for (const where of new Set([undefined, country])) {
        const key = `${board.name}/${where ?? ""}`;
        const known = this.#latest.get(key);
        if (known === undefined || known.submissionId < submissionId) {
          this.#latest.set(key, { board: board.name, country: where, player, submissionId });
        }
      }
    }
  }

  upTo(to: string): Witness[] {
    return [...this.#latest.values()].filter(({ submissionId }) => submissionId <= to);
  }
}

/** Fills what was submitted since the last time, compares, and notes how far that was. */
async function fillWindow(
  deps: ReconcileDeps,
  game: string,
  deadlineMs: number,
): Promise<"verified" | "open" | "lost"> {
  const state = await deps.reconciliations.state(game);
  if (!state) return "verified";
  const { verified, settled, newest = "" } = state;
  const witnesses = new Witnesses();
  const touchedByKey = new Map<string, PeriodBoard>();
  let reached = verified;
  while (reached < newest && !timeIsUp(deps, deadlineMs)) {
    const after = reached;
    const { page } = await somePage(`reconcile ${game}`, PAGE, (n) => deps.reconciliations.window(game, after, n));
    if (page.last === undefined) break;
    const pushes = await deps.filler.fill(game, page.moderated, [
      ...windowFills(page.bests),
      ...entryFills(page.entries),
    ]);
    for (const week of pushes) deps.background.run("push-top", () => pushTop(deps, game, week));
    witnesses.add(page.bests, settled);
    for (const { periodBoard } of page.entries) touchedByKey.set(periodBoard.key, periodBoard);
    reached = page.last;
  }
  if (reached > verified) await addMissingEvents(deps, game, verified, state.arrived, state.feedLength);
  const now = deps.clock.now();
  // What was not filled yet differs, and a game that is cut off here is compared the next time.
  if (reached >= newest && !timeIsUp(deps, deadlineMs)) {
    const touched = [...touchedByKey.values()].slice(-MOST_COMPARED);
    const { verdict } = await inspectGame(deps, game, {
      boards: boardsAt(now),
      defined: touched,
      countries: "any",
      upkeep: true,
    });
    if (verdict === "lost") return "lost";
  }
  // Last, since whatever failed before is done again; what is not settled is looked at again too.
  const to = reached < settled ? reached : settled;
  if (to > verified && reached > verified) {
    await deps.reconciliations.advance(game, to, witnesses.upTo(to), keptBoards(now).at(-1)?.name ?? "");
  }
  return newest <= to ? "verified" : "open";
}

/**
 * Brings what was submitted since the last time to Redis, and rebuilds a game that Redis lost, or holds damaged or older than it
 * was. `verified`: there is nothing left to look at, so that the game may be called idle. Goes on where it stopped at the
 * deadline.
 */
export async function reconcileGame(
  deps: ReconcileDeps,
  game: string,
  deadlineMs: number,
): Promise<{ verified: boolean }> {
  const rebuilt = await rebuildGame(deps, game, deadlineMs);
  if (rebuilt !== "ready" && rebuilt !== "opened") return { verified: false };
  const filled = await fillWindow(deps, game, deadlineMs).catch((error: unknown) => {
    if (isDamage(error)) return "lost" as const;
    throw error;
  });
  if (filled === "lost") {
    await deps.inspector.condemn(game);
    if (!timeIsUp(deps, deadlineMs)) await rebuildGame(deps, game, deadlineMs);
  }
  return { verified: filled === "verified" };
}
