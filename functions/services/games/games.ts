/** Games: create, configure, read. */
import type { GameConfig } from "../../contract/games.ts";
import { DependencyError, DomainError } from "../../domain/errors.ts";
import { markBusy, type MarkDeps } from "./active-games.ts";
import { createMemory } from "../memory.ts";
import { continueSoon, removeGame, LEASE_MS, rebuildSoon, type RebuildSoonDeps } from "../healing/rebuild.ts";
import { rememberShards } from "../live/shards.ts";
import type { HealingPorts } from "../healing/ports.ts";
import type { Runtime } from "../runtime.ts";
import type { GamePorts } from "./ports.ts";
import { orUnavailable } from "../or-unavailable.ts";

const readable = <T>(work: Promise<T>): Promise<T> =>
  orUnavailable(work, "The game's configuration cannot be reached right now.");

/** Games that Postgres was seen to have: what Redis shows of them needs no other proof. */
const knownUntil = createMemory<number>();
const KNOWN_FOR_MS = 600_000;

type GetDeps = Pick<GamePorts, "games"> & Pick<Runtime, "clock">;

/** Throws DomainError `unknown-game`. */
export async function getGame(deps: GetDeps, game: string): Promise<GameConfig> {
  const config = await readable(deps.games.find(game));
  if (!config) throw new DomainError("unknown-game", `There is no game "${game}".`);
  knownUntil.set(game, deps.clock.now() + KNOWN_FOR_MS);
  return config;
}

/**
 * For an answer from Redis that shows nothing: an empty board proves no game. Throws DomainError `unknown-game`, and takes
 * out of Redis what is there of it. While Postgres does not answer, Redis is believed.
 */
export async function requireGame(
  deps: GetDeps & Pick<HealingPorts, "filler"> & Pick<Runtime, "background">,
  game: string,
): Promise<void> {
  if ((knownUntil.get(game) ?? 0) > deps.clock.now()) return;
  try {
    await getGame(deps, game);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code !== "unknown-game") return;
    deps.background.run("remove-game", () => removeGame(deps, game));
    throw error;
  }
}

async function orUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DependencyError) return undefined;
    throw error;
  }
}

/**
 * True when the game is new. A new game is opened in Redis right away: it has nothing to rebuild. Its rebuild begins before
 * the game exists, so that no submission can be older than the rebuild.
 */
export async function putGame(deps: MarkDeps & RebuildSoonDeps, game: string, config: GameConfig): Promise<boolean> {
  const begun = await orUndefined(deps.filler.begin(game, LEASE_MS));
  // Marked in any case: should the game not come to be, a tick removes what the rebuild has left.
  const [created] = await Promise.all([readable(deps.games.put(game, config)), markBusy(deps, game)]);
  knownUntil.set(game, deps.clock.now() + KNOWN_FOR_MS);
  rememberShards(game, config.shards, deps.clock.now());
  if (begun === "ready" || (begun === "busy" && !created)) return created;
  if (typeof begun !== "object") {
    rebuildSoon(deps, game);
    return created;
  }
  const opened = created && begun.position === "" && (await orUndefined(deps.filler.finish(game, begun, "1", [])));
  // No one else may rebuild while this rebuild has the lease.
  if (!opened) continueSoon(deps, game, begun);
  return created;
}

export async function readBadges(deps: Pick<GamePorts, "games">, game: string, player: string) {
  return { badges: await readable(deps.games.badgesOf(game, player)) };
}
