/**
 * Players whose submissions this isolate has under way, from before Postgres until Redis has answered: plain values, so sharing
 * them between requests is safe. A look leaves them out. Two calls that look at the same time would otherwise each wait for the other
 * one's players to arrive, and then take the game for one that is behind.
 */
import type { Runtime } from "../runtime.ts";

/** Longer than all deadlines of a call together: a request that was cancelled must not count for ever. */
const UNDER_WAY_MS = 10_000;

type Call = { readonly players: readonly string[]; readonly untilMs: number };
/** By game; the last call of a game takes it out. */
const calls = new Map<string, Set<Call>>();

function dropEnded(game: string, nowMs: number): void {
  const own = calls.get(game);
  if (!own) return;
  for (const call of own) if (call.untilMs <= nowMs) own.delete(call);
  if (own.size === 0) calls.delete(game);
}

/** Notes that submissions of these players are under way; ends when the returned function is called. */
export function beginCall(deps: Pick<Runtime, "clock">, game: string, players: readonly string[]): () => void {
  const nowMs = deps.clock.now();
  dropEnded(game, nowMs);
  const call = { players, untilMs: nowMs + UNDER_WAY_MS };
  const own = calls.get(game) ?? new Set();
  calls.set(game, own.add(call));
  return () => {
    own.delete(call);
    if (own.size === 0 && calls.get(game) === own) calls.delete(game);
  };
}

export function playersUnderWay(deps: Pick<Runtime, "clock">, game: string): Set<string> {
  dropEnded(game, deps.clock.now());
  return new Set([...(calls.get(game) ?? [])].flatMap(({ players }) => players));
}
