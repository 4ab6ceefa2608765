/** Moderation: Postgres first, in one statement; then Redis and the room follow what Postgres says. */
import type { PlayerExport } from "../../contract/moderation.ts";
import { MAX_EXPORT } from "../../contract/moderation.ts";
import { DependencyError, DomainError } from "../../domain/errors.ts";
import { pageOf } from "../../domain/page.ts";
import { markBusy, type MarkDeps } from "../games/active-games.ts";
import { correctSoon, correctPlayer, type CorrectDeps } from "./correct.ts";
import { orUnavailable } from "../or-unavailable.ts";
import { somePage } from "../page-size.ts";
import type { GamePorts } from "../games/ports.ts";
import type { SubmitPorts } from "../submit/ports.ts";
import type { ModerationPorts } from "./ports.ts";

type ModerateDeps = CorrectDeps & MarkDeps;

const unknownGame = (game: string) => new DomainError("unknown-game", `There is no game "${game}".`);

/** Brings Redis in line before the answer, and again when whatever was on its way has arrived. */
async function follow(deps: ModerateDeps, game: string, player: string): Promise<void> {
  // So that the cron comes by, should everything after this fail.
  await markBusy(deps, game);
  try {
    await correctPlayer(deps, game, player);
  } catch (error) {
    // Redis out of reach is no failure: the truth is in Postgres, and the cron corrects later.
    if (!(error instanceof DependencyError)) throw error;
  }
  correctSoon(deps, game, player);
}

/**
 * Bans a player; false when the game has no submission of them: the ban waits for the first. Throws DomainError `unknown-game`.
 */
export async function banPlayer(deps: ModerateDeps, game: string, player: string, by: string): Promise<boolean> {
  const banned = await orUnavailable(deps.moderation.ban(game, player, by));
  if (!banned) throw unknownGame(game);
  await follow(deps, game, player);
  return banned.known;
}

type Action = "unban" | "deletePlayer";

/** Lifts a ban, or deletes a player. Throws DomainError `unknown-game`; an unknown player is fine. */
export async function moderatePlayer(
  deps: ModerateDeps,
  action: Action,
  game: string,
  player: string,
  by: string,
): Promise<void> {
  if (!(await orUnavailable(deps.moderation[action](game, player, by)))) throw unknownGame(game);
  await follow(deps, game, player);
}

/** Takes a submission back, or decides on a held one. Throws DomainError `unknown-game` or `not-found`. */
export async function decideSubmission(
  deps: ModerateDeps,
  decision: "removed" | "ranked" | "rejected",
  game: string,
  submissionId: string,
  by: string,
): Promise<void> {
  const decided = await orUnavailable(deps.moderation.decide(game, submissionId, decision, by));
  if (decided.result === "unknown-game") throw unknownGame(game);
  if (decided.result !== "done") {
    const what = decision === "removed" ? "submission" : "held submission";
    throw new DomainError("not-found", `There is no ${what} with this id.`);
  }
  await follow(deps, game, decided.player);
  if (decision === "ranked") deps.background.run("released", () => announceReleased(deps, game, submissionId));
}

/** A released submission enters the feed, unless it is older than what the feed still shows. */
async function announceReleased(
  deps: Pick<ModerationPorts, "moderation"> & Pick<SubmitPorts, "ranking">,
  game: string,
  submissionId: string,
): Promise<void> {
  const event = await deps.moderation.event(game, submissionId);
  if (event) await deps.ranking.ensureEvents(game, [event]);
}

/** Submissions that wait for review, oldest first. */
export async function listHeld(
  deps: Pick<ModerationPorts, "moderation"> & Pick<GamePorts, "games">,
  game: string,
  n: number,
  cursor: string | undefined,
) {
  const [found, config] = await orUnavailable(
    Promise.all([deps.moderation.held(game, n + 1, cursor), deps.games.find(game)]),
  );
  if (!config) throw unknownGame(game);
  const { page, next } = pageOf(found, n);
  return { held: page, next: next && next.submissionId };
}

/** Throws DomainError `unknown-game`, and `not-found` when nothing is stored about the player. */
export async function exportPlayer(
  deps: Pick<ModerationPorts, "playerFiles"> & Pick<GamePorts, "games">,
  game: string,
  player: string,
  cursor: string | undefined,
): Promise<PlayerExport> {
  const [{ page: found }, config] = await orUnavailable(
    Promise.all([
      somePage(`export ${game}`, MAX_EXPORT, (n) => deps.playerFiles.read(game, player, n, cursor)),
      deps.games.find(game),
    ]),
  );
  if (!config) throw unknownGame(game);
  if (!found) throw new DomainError("not-found", "Nothing is stored about this player.");
  return found;
}
