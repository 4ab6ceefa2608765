/** How many rooms share the viewers of a game's week; remembered for a while, because every push and viewer asks. */
import { DependencyError, DomainError } from "../../domain/errors.ts";
import { createMemory } from "../memory.ts";
import type { GamePorts } from "../games/ports.ts";
import type { Runtime } from "../runtime.ts";
import type { SubmitPorts } from "../submit/ports.ts";

const KNOWN_FOR_MS = 30_000;

/** Plain values of this isolate, so sharing them between requests is safe. */
const known = createMemory<{ readonly shards: number; readonly until: number }>();

/** One room while Postgres cannot say: the first one always exists, and passes boards on as soon as it can. */
export async function shardsOf(deps: Pick<GamePorts, "games"> & Pick<Runtime, "clock">, game: string): Promise<number> {
  const now = deps.clock.now();
  const before = known.get(game);
  if (before && before.until > now) return before.shards;
  try {
    const config = await deps.games.find(game);
    if (config) rememberShards(game, config.shards, now);
    return config?.shards ?? 1;
  } catch (error) {
    if (error instanceof DependencyError) return before?.shards ?? 1;
    throw error;
  }
}

/**
 * For a viewer who wants to watch. Throws DomainError `unknown-game`. A row that is remembered for a while; only when
 * Postgres cannot say, Redis is asked whether it has the game.
 */
export async function shardsToWatch(
  deps: Pick<GamePorts, "games"> & Pick<SubmitPorts, "ranking"> & Pick<Runtime, "clock">,
  game: string,
): Promise<number> {
  const now = deps.clock.now();
  const before = known.get(game);
  if (before && before.until > now) return before.shards;
  try {
    const config = await deps.games.find(game);
    if (!config) throw new DomainError("unknown-game", `There is no game "${game}".`);
    rememberShards(game, config.shards, now);
    return config.shards;
  } catch (error) {
    if (!(error instanceof DependencyError)) throw error;
    if (before || (await deps.ranking.has(game).catch(() => false))) return before?.shards ?? 1;
    throw new DomainError("unavailable", "Whether there is such a game cannot be told right now. Try again shortly.", {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
}

/** For a caller that has just read or changed the number. */
export function rememberShards(game: string, shards: number, nowMs: number): void {
  known.set(game, { shards, until: nowMs + KNOWN_FOR_MS });
}
