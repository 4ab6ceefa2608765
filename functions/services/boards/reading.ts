/** Where a read's answer comes from: Redis while it has the board and may be believed, Postgres otherwise. */
import { DependencyError } from "../../domain/errors.ts";
import { markBusy } from "../games/active-games.ts";
import { getGame } from "../games/games.ts";
import { isDamage } from "../healing/inspect.ts";
import { mendLost, type MendDeps } from "../healing/mend.ts";
import { rebuildSoon, type RebuildSoonDeps } from "../healing/rebuild.ts";
import { orUnavailable } from "../or-unavailable.ts";
import { believed, type Judge, type Live } from "./believed.ts";
import type { Sourced } from "./ports.ts";

export type ReadDeps = RebuildSoonDeps & MendDeps;

/** Unknown games are told apart here, and where Redis shows nothing (`requireGame`). */
async function fromHistory<T>(deps: ReadDeps, game: string, history: () => Promise<T>): Promise<T> {
  const reading = Promise.all([history(), getGame(deps, game)]);
  const [answer] = await orUnavailable(reading, "The board cannot be read right now. Try again shortly.");
  return answer;
}

/** Throws DomainError `unknown-game`, or `unavailable` when neither answers. */
export async function read<T>(
  deps: ReadDeps,
  game: string,
  judge: Judge<T>,
  live: Live<T>,
  history: () => Promise<T>,
): Promise<Sourced<T>> {
  const historical = !judge.of.isKept(deps.clock.now());
  let lost = false;
  if (!historical) {
    try {
      const answer = await believed(deps, game, live, judge);
      if (answer) return { body: answer.found, source: { from: "redis", degraded: false } };
      lost = true;
    } catch (error) {
      if (!(error instanceof DependencyError)) throw error;
      if (isDamage(error)) await mendLost(deps, game);
    }
  }
  const body = await fromHistory(deps, game, history);
  if (lost) {
    rebuildSoon(deps, game);
    deps.background.run("mark-game", () => markBusy(deps, game));
  }
  return { body, source: { from: "postgres", degraded: !historical } };
}
