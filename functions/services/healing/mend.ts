/** What follows when Redis does not hold what Postgres says: a rebuild, or what a tick would do, at once. */
import { DependencyError } from "../../domain/errors.ts";
import { markBusy, type MarkDeps } from "../games/active-games.ts";
import { reconcileGame, type ReconcileDeps } from "./reconcile.ts";
import { rebuildGame } from "./rebuild.ts";
import { dropTops } from "../boards/top-cache.ts";
import { AFTER_RESPONSE_MS } from "../limits.ts";
import { createMemory } from "../memory.ts";
import type { Runtime } from "../runtime.ts";

/** A game is condemned again after this long: if a rebuild does not help, a few a minute are enough. */
const AGAIN_MS = 5_000;

export type MendDeps = ReconcileDeps & MarkDeps;

/** When this isolate last mended a game. */
const mended = createMemory<number>();

function mayMend(deps: Pick<Runtime, "clock">, game: string): boolean {
  const now = deps.clock.now();
  if (now - (mended.get(game) ?? 0) < AGAIN_MS) return false;
  mended.set(game, now);
  return true;
}

/** Declares a game lost, so that all isolates answer it from Postgres, and rebuilds it after the response. Never throws. */
export async function mendLost(deps: MendDeps, game: string): Promise<void> {
  if (!mayMend(deps, game)) return;
  dropTops(game);
  const condemned = deps.inspector.condemn(game).catch(ignoreOutage);
  await Promise.all([condemned, markBusy(deps, game)]);
  deps.background.run("rebuild", async () => {
    await rebuildGame(deps, game, deps.clock.now() + AFTER_RESPONSE_MS);
  });
}

/** Brings what is not verified to Redis, as a tick would. Never throws. */
export async function mendBehind(deps: MendDeps, game: string): Promise<void> {
  if (!mayMend(deps, game)) return;
  await markBusy(deps, game);
  await reconcileGame(deps, game, deps.clock.now() + AFTER_RESPONSE_MS).catch(ignoreOutage);
  dropTops(game);
  mended.delete(game);
}

/** The next request finds it again. */
function ignoreOutage(error: unknown): void {
  if (!(error instanceof DependencyError)) throw error;
}
