/** Writes the rows of periods that boards need next. Costs nothing while no row is due. */
import type { Deps } from "../deps-type.ts";
import { keepPeriods, type KeptPeriods } from "../services/definitions/due-periods.ts";
import type { BusyGames } from "../services/games/active-games.ts";

/** A part of the tick, since the busy games come after it. */
const MOST_MS = 5_000;

export async function lookAfterPeriods(deps: Deps, deadlineMs: number, list: Promise<BusyGames>): Promise<KeptPeriods> {
  return keepPeriods(deps, await list, Math.min(deadlineMs, deps.clock.now() + MOST_MS));
}
