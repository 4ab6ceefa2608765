/** One busy game: badges from the stream, badges from Postgres, boards, moderation. */
import { mayBeIdle } from "../services/games/active-games.ts";
import { checkRooms } from "../services/live/check-rooms.ts";
import { catchUpBadges } from "../services/badges/award-badges.ts";
import { reapplyModeration } from "../services/moderation/correct.ts";
import { drainBadges, trimFeed, type Drained } from "../services/badges/drain-badges.ts";
import type { Deps } from "../deps-type.ts";
import type { Mark } from "../services/games/ports.ts";
import { removeGame } from "../services/healing/rebuild.ts";
import { reconcileGame } from "../services/healing/reconcile.ts";
import { log } from "../log.ts";

/** The part of a game's time that its drain leaves to catching up and reconciling. */
const FOR_THE_REST = 0.4;

export type Counts = Record<string, number>;

const countsOf = (drained: Drained): Counts => {
  const { claimed, read, awarded, roundTrips, pending, unread, missing } = drained;
  return { claimed, read, awarded, roundTrips, pending, unread, missing: missing ? 1 : 0 };
};

/** Logs a step that failed; what does not depend on it goes on. */
export function reported(step: string, game: string | undefined, error: unknown): undefined {
  const reason = error instanceof Error ? error.message : "failed";
  log("error", "job", { job: "busy-games", step, game, outcome: "failed", reason });
}

/** True when nothing is left to do for the game, so that it may leave the list. */
export async function lookAfter(
  deps: Deps,
  mark: Mark,
  deadlineMs: number,
  add: (counts: Counts) => void,
): Promise<boolean> {
  const { game } = mark;
  // A backlog leaves time for what comes after it. Postgres alone can award, so a stream that cannot be read keeps no
  // badge back.
  const drainUntilMs = deadlineMs - (deadlineMs - deps.clock.now()) * FOR_THE_REST;
  const drained = await drainBadges(deps, game, drainUntilMs).catch((error: unknown) => reported("drain", game, error));
  if (drained) add(countsOf(drained));
  const caughtUp = await catchUpBadges(deps, game, deadlineMs);
  add({ caughtUp: caughtUp.awarded });
  if (caughtUp.feedLength === undefined) {
    // A misspelt name was marked beside the statement that did not find it, or the game is gone.
    await removeGame(deps, game);
    add({ unknown: 1 });
    return mayBeIdle(mark, deps.clock.now());
  }
  const { verified } = await reconcileGame(deps, game, deadlineMs);
  const moderation = caughtUp.moderated ? await reapplyModeration(deps, game, deadlineMs) : { settled: 0, left: 0 };
  add({ moderated: moderation.settled, moderatedLeft: moderation.left });
  // Before the game is called idle its rooms have been told to look at the board, so that no lost push stays lost.
  const told = await checkRooms(deps, game);
  const done =
    told &&
    mayBeIdle(mark, deps.clock.now()) &&
    verified &&
    moderation.left === 0 &&
    caughtUp.complete &&
    (drained?.quiet ?? false);
  if (drained && !drained.missing && (drained.read > 0 || drained.claimed > 0 || done)) {
    add({ trimmed: await trimFeed(deps, game, drained.lastRead, caughtUp.feedLength) });
  }
  return done;
}
