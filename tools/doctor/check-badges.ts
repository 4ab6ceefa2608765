/** What Postgres and Redis have not caught up with: badges, and submissions that no reconciliation has seen. */
import { catchUpBadges } from "../../functions/services/badges/award-badges.ts";
import { reconcileGame } from "../../functions/services/healing/reconcile.ts";
import type { Problem } from "./problem.ts";
import type { ToolDeps } from "./tool-deps.ts";

const A_MINUTE_MS = 60_000;
const TWO_TICKS_MS = 120_000;

export async function checkBadges(deps: ToolDeps, game: string): Promise<Problem[]> {
  const missing = await deps.badges.missing(game);
  if (missing === 0) return [];
  const repair = () => catchUpBadges(deps, game, deps.clock.now() + A_MINUTE_MS);
  return [{ check: "badges", game, detail: `${missing} deserved badges are not there`, repair }];
}

/** A UUIDv7 begins with unix milliseconds. */
const msOf = (id: string) => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

/** The game should have been reconciled by now: its last submission is older than two ticks. */
export async function checkUnseen(deps: ToolDeps, game: string): Promise<Problem[]> {
  const state = await deps.reconciliations.state(game);
  if (state?.newest === undefined || state.newest <= state.verified) return [];
  const ageMs = deps.clock.now() - msOf(state.newest);
  if (ageMs < TWO_TICKS_MS) return [];
  const repair = () => reconcileGame(deps, game, deps.clock.now() + A_MINUTE_MS);
  const detail = `submissions of ${Math.round(ageMs / 1000)} s ago were never compared with Redis: does the cron run?`;
  return [{ check: "unseen", game, detail, repair }];
}
