/** How many rooms share the viewers of a game's week; remembered for a while, because every push and viewer asks. */
import { DependencyError } from "../domain/errors.ts";
import { createMemory } from "./memory.ts";
import type { Deps } from "./ports.ts";

const KNOWN_FOR_MS = 30_000;

/** Plain values of this isolate, so sharing them between requests is safe. */
const known = createMemory<{ readonly shards: number; readonly until: number }>();

/** One room while Postgres cannot say: the first one always exists, and passes boards on as soon as it can. */
export async function shardsOf(deps: Pick<Deps, "games" | "clock">, game: string): Promise<number> {
  const now = deps.clock.now();
  const before = known.get(game);
  if (before && before.until > now) return before.shards;
  try {
    const shards = (await deps.games.find(game))?.shards ?? 1;
    rememberShards(game, shards, now);
    return shards;
  } catch (error) {
    if (error instanceof DependencyError) return before?.shards ?? 1;
    throw error;
  }
}

/** For whoever has just read or changed the number. */
export function rememberShards(game: string, shards: number, nowMs: number): void {
  known.set(game, { shards, until: nowMs + KNOWN_FOR_MS });
}
