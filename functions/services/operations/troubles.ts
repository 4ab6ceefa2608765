/**
 * What went wrong in this isolate lately: for /metrics, and for a line of the log now and then. Plain values, so sharing
 * them between requests is safe; an isolate knows nothing of the others.
 */
import type { Dependency, DependencyError } from "../../domain/errors.ts";
import { log } from "../../log.ts";

/** Counts go back to the beginning of the period before this one: five to ten minutes. */
const PERIOD_MS = 300_000;
const SAY_EVERY_MS = 60_000;
const MOST_LABELS = 50;
/** Single ones happen: a library is loaded, a call is late. */
const REPEATED = 10;

type Counts = ReadonlyMap<string, number>;

/** Counts by label, of this period and of the one before. */
class Tally {
  #now = new Map<string, number>();
  #before: Counts = new Map();
  #saidMs = new Map<string, number>();
  #endsMs = 0;

  add(label: string, n: number, nowMs: number): void {
    this.#turn(nowMs);
    if (this.#now.has(label) || this.#now.size < MOST_LABELS) this.#now.set(label, (this.#now.get(label) ?? 0) + n);
  }

  counts(nowMs: number): Counts {
    this.#turn(nowMs);
    const labels = new Set([...this.#before.keys(), ...this.#now.keys()]);
    return new Map([...labels].map((label) => [label, this.count(label)]));
  }

  count(label: string): number {
    return (this.#now.get(label) ?? 0) + (this.#before.get(label) ?? 0);
  }

  /** Once a minute for each label. */
  mayBeSaid(label: string, nowMs: number): boolean {
    if (nowMs - (this.#saidMs.get(label) ?? 0) < SAY_EVERY_MS) return false;
    this.#saidMs.set(label, nowMs);
    return true;
  }

  #turn(nowMs: number): void {
    if (nowMs < this.#endsMs) return;
    this.#before = nowMs < this.#endsMs + PERIOD_MS ? this.#now : new Map();
    [this.#now, this.#saidMs] = [new Map(), new Map()];
    this.#endsMs = nowMs + PERIOD_MS;
  }
}

const unranked = new Tally();
const fullBoards = new Tally();
const refusals = { postgres: new Tally(), redis: new Tally(), room: new Tally() };

/** Why submissions were answered with 202. */
type Cause = DependencyError["kind"] | "rebuilding";

/** A call that was not sent has the reason why none is. */
export const causeOf = ({ kind, code }: DependencyError): Cause =>
  kind === "not-asked" ? (code === "unreachable" ? "unreachable" : "slow") : kind;

/** Submissions that were stored and not ranked. */
export function noteUnranked(submissions: number, cause: Cause, nowMs: number): void {
  unranked.add(cause, submissions, nowMs);
  const count = unranked.count(cause);
  if (count >= REPEATED && unranked.mayBeSaid(cause, nowMs)) log("warn", "unranked", { cause, count });
}

/** A board has more players than one key of Redis holds, and Postgres answers for it: an operator has to decide what next. */
export function noteFullBoard(game: string, board: string, nowMs: number): void {
  const label = `${game} ${board}`;
  fullBoards.add(label, 1, nowMs);
  if (fullBoards.mayBeSaid(label, nowMs)) log("error", "board-full", { game, board });
}

/** A dependency refused what it was asked: an operator has to look at it. */
export function noteRefusal(error: DependencyError, nowMs: number): void {
  const { dependency, code } = error;
  refusals[dependency].add(code, 1, nowMs);
  if (!refusals[dependency].mayBeSaid(code, nowMs)) return;
  log("error", "dependency", { dependency, outcome: "refused", reason: code });
}

export type Troubles = { readonly unranked: Counts; readonly refusals: Readonly<Record<Dependency, Counts>> };

/** All of it, by cause and by code. */
export const troubles = (nowMs: number): Troubles => ({
  unranked: unranked.counts(nowMs),
  refusals: {
    postgres: refusals.postgres.counts(nowMs),
    redis: refusals.redis.counts(nowMs),
    room: refusals.room.counts(nowMs),
  },
});
