/** Which games a tick has to look at, and when a game may leave the list. */
import { createMemory } from "../memory.ts";
import type { GamePorts, Mark } from "./ports.ts";
import { markTogether } from "../operations/store-marks.ts";
import type { BadgePorts } from "../badges/ports.ts";
import type { OperationsPorts } from "../operations/ports.ts";
import type { Runtime } from "../runtime.ts";

/** An isolate marks a game again after this long, at the next submission. */
export const MARK_EVERY_MS = 20_000;
/** What was accepted under a mark is committed and visible this much later. */
const SETTLE_MS = 10_000;
/** Ticks come every minute; while one was missed, marks may have been lost that could not be written either. */
const MISSED_MS = 90_000;
/** After that the whole of Redis may be another one than it was (a restored backup, a failover to an old copy). */
const UNKNOWN_MS = 3_600_000;

export type BusyGames = {
  readonly marks: readonly Mark[];
  /** Games that were not in the list and were added from Postgres. */
  readonly woken: number;
  /** This Redis belongs to another deployment, which a tick looks at when it has to ask Postgres for every game. */
  readonly foreign: boolean;
  /** When the list of due periods has to be read; undefined: now. */
  readonly dueAtMs: number | undefined;
};

/** Which games Postgres has to name because the list may lack some: none, those behind, or all. */
function staleness(seenAtMs: number | undefined, nowMs: number): "none" | "behind" | "all" {
  if (seenAtMs === undefined || nowMs - seenAtMs > UNKNOWN_MS) return "all";
  return nowMs - seenAtMs > MISSED_MS ? "behind" : "none";
}

/**
 * The busy games: two commands, and no statement unless the list was lost or ticks were missed. A Redis that lost the
 * list has lost the games too, so then every game is looked at.
 */
export async function busyGames(
  deps: Pick<GamePorts, "active"> &
    Pick<OperationsPorts, "storeMarks"> &
    Pick<BadgePorts, "badges"> &
    Pick<Runtime, "clock">,
): Promise<BusyGames> {
  const { marks, seenAtMs, dueAtMs } = await deps.active.read();
  const which = staleness(seenAtMs, deps.clock.now());
  if (which === "none") {
    await deps.active.seen();
    return { marks, woken: 0, foreign: false, dueAtMs };
  }
  const foreign = which === "all" && (await markTogether(deps.storeMarks)) === "foreign";
  const known = new Set(marks.map(({ game }) => game));
  const found = (await deps.badges.games(which)).filter((game) => !known.has(game));
  const woken = await deps.active.wake(found);
  await deps.active.seen();
  return { marks: [...marks, ...woken], woken: woken.length, foreign, dueAtMs };
}

/**
 * True when no submission can be on its way that this mark was for. Together with an empty stream and everything
 * verified, the game may leave the list: the next submission marks it anew.
 */
export const mayBeIdle = (mark: Mark, nowMs: number): boolean => nowMs - mark.atMs > MARK_EVERY_MS + SETTLE_MS;

export type MarkDeps = Pick<GamePorts, "active"> & Pick<Runtime, "clock" | "background" | "sleep">;

const RETRY_MS = [250, 1_000, 3_000, 6_000, 12_000];

/** Until when this isolate keeps trying, per game: a thousand requests in an outage make one attempt. */
const triedUntil = createMemory<number>();

/** Games that this isolate could not mark in time: plain values too. A later request that finds Redis marks them. */
const missed = createMemory<true>();
const MISSED_EVERY_MS = 5_000;
let missedAgainAt = 0;

async function keepTrying(deps: MarkDeps, game: string): Promise<void> {
  for (const ms of RETRY_MS) {
    await deps.sleep(ms);
    const marked = await deps.active.mark(game).then(
      () => true,
      () => false,
    );
    if (marked) return;
  }
  missed.set(game, true);
  throw new Error("the game could not be marked; the next request or a tick that missed one does");
}

function markMissedSoon(deps: MarkDeps): void {
  const now = deps.clock.now();
  if (missed.size === 0 || now < missedAgainAt) return;
  missedAgainAt = now + MISSED_EVERY_MS;
  deps.background.run("mark-missed", async () => {
    for (const game of missed.keys()) {
      await deps.active.mark(game);
      missed.delete(game);
    }
  });
}

/**
 * Marks a game as busy; when Redis does not answer, tries on after the response: a submission that is neither in Redis
 * nor in the list would wait for the next one. Never throws.
 */
export async function markBusy(deps: MarkDeps, game: string): Promise<void> {
  try {
    await deps.active.mark(game);
    markMissedSoon(deps);
  } catch {
    const now = deps.clock.now();
    if (now < (triedUntil.get(game) ?? 0)) return;
    triedUntil.set(game, now + MARK_EVERY_MS);
    deps.background.run("mark-game", () => keepTrying(deps, game).finally(() => void triedUntil.delete(game)));
  }
}
