/**
 * Drains a game's activity stream into badges. A batch takes three round trips: read, one insert-or-ignore
 * in Postgres, acknowledge. A run that dies between two of them leaves entries that a later run takes over, and judging
 * an entry again awards nothing again; so runs may overlap, repeat and come late.
 */
import { announceSoon, type AwardDeps } from "./award-badges.ts";
import { timeIsUp } from "../limits.ts";
import { onePage, pageSize } from "../page-size.ts";
import type { BadgePorts, Claim, Claimed, QueueEntry } from "./ports.ts";
import type { Runtime } from "../runtime.ts";

export type DrainDeps = AwardDeps & Pick<BadgePorts, "queue">;

export type DrainOptions = {
  /** Entries of a batch. Upstash lets a consumer have at most 1,000 pending. */
  readonly batch: number;
  /** Entries that no run finished for this long are taken over: longer than a run may last. */
  readonly minIdleMs: number;
};

export const DRAIN: DrainOptions = { batch: 500, minIdleMs: 30_000 };

export type Drained = {
  /** Redis does not have the game: there is no stream, and making one is the rebuild's business. */
  readonly missing: boolean;
  /** Entries taken over, entries read, badges that were new. */
  readonly claimed: number;
  readonly read: number;
  readonly awarded: number;
  /** Requests that left the Worker for it. */
  readonly roundTrips: number;
  /** There was nothing to do and nothing is pending anywhere. */
  readonly quiet: boolean;
  /** Left when it ended: read by a run and not acknowledged, and not read by any. */
  readonly pending: number;
  readonly unread: number;
  readonly lastRead: string;
};

const NOTHING = { claimed: 0, read: 0, awarded: 0, roundTrips: 1, pending: 0, unread: 0, lastRead: "0-0" };

/** A run of its own: what it holds and what it did. */
class Run {
  readonly consumer = `run-${crypto.randomUUID()}`;
  awarded = 0;
  roundTrips = 0;
  readonly #deps: DrainDeps;
  readonly #game: string;
  readonly #job: string;
  readonly #most: number;

  constructor(deps: DrainDeps, game: string, most: number) {
    this.#deps = deps;
    this.#game = game;
    this.#job = `drain ${game}`;
    this.#most = most;
  }

  /** Entries of the next batch. */
  get batch(): number {
    return pageSize(this.#job, this.#most);
  }

  async ask<T>(request: Promise<T>): Promise<T> {
    this.roundTrips += 1;
    return request;
  }

  /** Judges a batch and acknowledges it; acknowledging comes last. */
  async handle(entries: readonly QueueEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const submissions = entries.flatMap(({ submissionId }) => submissionId ?? []);
    if (submissions.length > 0) {
      const award = () => this.#deps.badges.award(this.#game, submissions);
      const badges = await this.ask(onePage(this.#job, this.#most, award));
      this.awarded += badges.length;
      announceSoon(this.#deps, this.#game, badges);
    }
    const ids = entries.map(({ id }) => id);
    await this.ask(this.#deps.queue.acknowledge(this.#game, ids));
  }
}

/** Runs until the backlog is empty or the deadline has come. */
export async function drainBadges(
  deps: DrainDeps,
  game: string,
  deadlineMs: number,
  options = DRAIN,
): Promise<Drained> {
  const { queue } = deps;
  const before = await queue.state(game);
  if (!before) return { ...NOTHING, missing: true, quiet: false };
  const run = new Run(deps, game, options.batch);
  if (before.pending === 0 && before.unread === 0) {
    if (before.consumers > 0) await run.ask(queue.removeDeadConsumers(game, options.minIdleMs));
    return { ...NOTHING, ...before, missing: false, quiet: true, roundTrips: 1 + run.roundTrips };
  }
  const late = () => timeIsUp(deps, deadlineMs);
  const { consumer } = run;
  let [claimed, read] = [0, 0];
  let cursor = before.pending > 0 ? "0-0" : undefined;
  while (cursor !== undefined && !late()) {
    const by: Claim = { consumer, minIdleMs: options.minIdleMs, cursor, n: run.batch };
    const found: Claimed = await run.ask(queue.claim(game, by));
    await run.handle(found.entries);
    claimed += found.entries.length;
    cursor = found.cursor;
  }
  // What dead runs held is taken over by now.
  if (before.consumers > 0) await run.ask(queue.removeDeadConsumers(game, options.minIdleMs));
  let full = before.unread > 0;
  while (full && !late()) {
    const { batch } = run;
    const entries = await run.ask(queue.readNew(game, consumer, batch));
    await run.handle(entries);
    read += entries.length;
    full = entries.length === batch;
  }
  // Everything it held is acknowledged, so nothing goes with it.
  await run.ask(queue.removeConsumer(game, consumer));
  const after = await run.ask(queue.state(game));
  const quiet = after?.pending === 0 && claimed + read === 0 && !full;
  const { awarded, roundTrips } = run;
  return { ...NOTHING, ...after, missing: !after, quiet, claimed, read, awarded, roundTrips: roundTrips + 1 };
}

/** Redis removes at most about 10,000 entries a call. */
const TRIM_CALLS = 50;

/** Shortens the feed to its configured length; what the group has not handled stays. Number of entries removed. */
export async function trimFeed(
  deps: Pick<BadgePorts, "queue"> & Pick<Runtime, "subrequests">,
  game: string,
  lastRead: string,
  length: number | undefined,
) {
  let removed = 0;
  if (length === undefined) return removed;
  for (let call = 0; call < TRIM_CALLS; call++) {
    const step = await deps.queue.trim(game, lastRead, length);
    removed += step;
    if (step === 0 || deps.subrequests.left() <= 0) break;
  }
  return removed;
}
