/** What readiness and metrics tell: which dependencies answer, and how far behind the work in the background is. */
import { ALL_TIME } from "../../domain/board/board.ts";
import { currentBoard } from "../../domain/board/time.ts";
import type { GamePorts, Mark } from "../games/ports.ts";
import type { BadgePorts, QueueState } from "../badges/ports.ts";
import type { Runtime } from "../runtime.ts";
import type { OperationsPorts } from "./ports.ts";

/** Games whose streams one look covers, the longest busy first: each costs a command. */
const MOST_GAMES = 20;

export type Answer = "ok" | "unavailable";

export type Stream = {
  /** Games that had submissions since the cron last found them idle. */
  readonly busyGames: number;
  /** Of these, how many were looked at; the numbers below are theirs. */
  readonly lookedAt: number;
  /** Games that Redis does not have: new, lost, or being rebuilt. */
  readonly missingGames: number;
  /** Boards that outgrew one key of Redis: this week's and those of all time. */
  readonly fullBoards: number;
  /** Feed entries that no cron run has read, and that one has read and not finished. */
  readonly unread: number;
  readonly pending: number;
  /** Milliseconds since a cron run last saw the list of busy games; null when Redis lost it. */
  readonly cronAgeMs: number | null;
};

export type Redis = { readonly state: Answer; readonly ms: number; readonly release: number | null };
export type Postgres = { readonly state: Answer; readonly ms: number };
export type Unverified = { readonly games: number; readonly oldestMs: number };

type VitalsDeps = Pick<OperationsPorts, "vitals"> & Pick<Runtime, "clock">;

async function measured<T>(
  { clock }: Pick<Runtime, "clock">,
  ask: () => Promise<T>,
): Promise<{ value: T | undefined; ms: number }> {
  const startedMs = clock.now();
  const value = await ask().catch(() => undefined);
  return { value, ms: clock.now() - startedMs };
}

export async function readPostgres(deps: VitalsDeps): Promise<Postgres> {
  const { value, ms } = await measured(deps, async () => deps.vitals.postgres().then(() => true));
  return { state: value ? "ok" : "unavailable", ms };
}

export async function readRedis(deps: VitalsDeps): Promise<Redis> {
  const { value, ms } = await measured(deps, () => deps.vitals.redisRelease());
  return { state: value === undefined ? "unavailable" : "ok", ms, release: value ?? null };
}

const longestBusy = (marks: readonly Mark[]) => [...marks].sort((a, b) => a.atMs - b.atMs).slice(0, MOST_GAMES);

function sum(states: readonly (QueueState | undefined)[], of: "unread" | "pending"): number {
  return states.reduce((total, state) => total + (state?.[of] ?? 0), 0);
}

/** Undefined when Redis does not answer. */
export async function readStream(
  deps: Pick<GamePorts, "active"> & Pick<BadgePorts, "queue"> & VitalsDeps,
): Promise<{ stream: Stream; games: readonly string[] } | undefined> {
  try {
    const { marks, seenAtMs } = await deps.active.read();
    const games = longestBusy(marks).map(({ game }) => game);
    const states = await Promise.all(games.map((game) => deps.queue.state(game)));
    const fullBoards = await deps.vitals.fullBoards(games, [ALL_TIME, currentBoard(deps.clock.now())]);
    const stream = {
      busyGames: marks.length,
      lookedAt: games.length,
      missingGames: states.filter((state) => state === undefined).length,
      fullBoards,
      unread: sum(states, "unread"),
      pending: sum(states, "pending"),
      cronAgeMs: seenAtMs === undefined ? null : Math.max(0, deps.clock.now() - seenAtMs),
    };
    return { stream, games };
  } catch {
    return undefined;
  }
}

/** Undefined when Postgres does not answer. */
export async function readUnverified(
  deps: Pick<OperationsPorts, "vitals">,
  games: readonly string[],
): Promise<Unverified | undefined> {
  return deps.vitals.unverified(games).catch(() => undefined);
}
