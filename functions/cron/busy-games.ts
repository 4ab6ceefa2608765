/** Looks after every busy game: badges from the stream, badges from Postgres, boards, and then out of the list. */
import { busyGames, mayBeIdle } from "../services/active-games.ts";
import { catchUpBadges } from "../services/award-badges.ts";
import { drainBadges, trimFeed, type Drained } from "../services/drain-badges.ts";
import { reapplyModeration } from "../services/correct.ts";
import { reconcileGame } from "../services/reconcile.ts";
import type { Deps, Mark } from "../services/ports.ts";
import { log } from "../log.ts";

/** Games that are looked after at once: a Worker has six connections, and each game uses one at a time. */
const AT_ONCE = 4;

/** The part of a game's time that its drain leaves to catching up and reconciling. */
const FOR_THE_REST = 0.4;

export type Counts = Record<string, number>;

async function lookAfter(deps: Deps, mark: Mark, deadlineMs: number, add: (counts: Counts) => void): Promise<boolean> {
  const { game } = mark;
  // A backlog leaves time for what comes after it. Postgres alone can award, so a stream that cannot be read keeps no
  // badge back.
  const drainUntilMs = deadlineMs - (deadlineMs - deps.clock.now()) * FOR_THE_REST;
  const drained = await drainBadges(deps, game, drainUntilMs).catch((error: unknown) => reported("drain", game, error));
  if (drained) add(countsOf(drained));
  const caughtUp = await catchUpBadges(deps, game, deadlineMs);
  add({ caughtUp: caughtUp.awarded });
  const { verified } = await reconcileGame(deps, game, deadlineMs);
  const moderated = await reapplyModeration(deps, game, deadlineMs);
  add({ moderated: moderated.settled, moderatedLeft: moderated.left });
  const done =
    mayBeIdle(mark, deps.clock.now()) &&
    verified &&
    moderated.left === 0 &&
    caughtUp.complete &&
    (drained?.quiet ?? false);
  if (drained && !drained.cold && (drained.read > 0 || drained.claimed > 0 || done)) {
    add({ trimmed: await trimFeed(deps, game, drained.lastRead, caughtUp.feedLength) });
  }
  return done;
}

const countsOf = (drained: Drained): Counts => {
  const { claimed, read, awarded, roundTrips, pending, unread, cold } = drained;
  return { claimed, read, awarded, roundTrips, pending, unread, cold: cold ? 1 : 0 };
};

function reported(step: string, game: string, error: unknown): undefined {
  log("error", "job", { job: "busy-games", step, game, outcome: "failed", reason: reasonOf(error) });
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : "failed");

/** In a random order, so that a tick that runs out of time does not always leave out the same games. */
function shuffled<T>(all: readonly T[]): T[] {
  const places = all.map((value) => ({ value, place: Math.random() }));
  return places.sort((a, b) => a.place - b.place).map(({ value }) => value);
}

/** A fair share of what is left of the tick, so that one backlog does not use it up. */
function shareOf(deps: Deps, deadlineMs: number, gamesLeft: number): number {
  const now = deps.clock.now();
  return now + Math.max(0, deadlineMs - now) / Math.max(1, Math.ceil(gamesLeft / AT_ONCE));
}

/** One run; a game that fails does not keep the others from being looked after. */
export async function tendBusyGames(deps: Deps, deadlineMs: number): Promise<Counts> {
  const { marks, woken } = await busyGames(deps);
  const counts: Counts = { busy: marks.length, woken };
  const add = (more: Counts) => {
    for (const [name, value] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + value;
  };
  const waiting = shuffled(marks);
  const done: Mark[] = [];
  const worker = async () => {
    for (let mark = waiting.pop(); mark !== undefined && deps.clock.now() < deadlineMs; mark = waiting.pop()) {
      const share = shareOf(deps, deadlineMs, waiting.length + 1);
      try {
        if (await lookAfter(deps, mark, share, add)) done.push(mark);
      } catch (error) {
        add({ failed: 1 });
        reported("look-after", mark.game, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, worker));
  if (done.length > 0) await deps.active.release(done);
  return { ...counts, idle: done.length, left: waiting.length };
}
