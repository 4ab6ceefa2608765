/** Corrects in Redis what a moderator changed in Postgres, and again until nothing on its way can undo it. */
import type { Correction } from "./moderation-ports.ts";
import type { Deps } from "./ports.ts";
import { pushTop } from "./push-top.ts";
import { forget as forgetTops } from "./top-cache.ts";

/** A submission that was committed before the action may reach Redis until its call's deadline, 2 s, has passed. */
const AGAIN_AFTER_MS = [1_000, 3_000];
/** Another action within this time is covered by the corrections that are already to come. */
const COVERED_MS = 900;
/** The cron corrects for this long: a rebuild may load a page that it read before. */
const CERTAIN_AFTER_SECONDS = 180;
/** Each round answers a submission that came in during the one before. */
const MOST_ROUNDS = 5;

const sameState = (a: Correction, b: Correction) =>
  JSON.stringify({ ...a, nowUs: "" }) === JSON.stringify({ ...b, nowUs: "" });

/**
 * Writes what Postgres said, then asks whether it still says so: a submission that raised a best between the two is
 * overwritten only until the next round.
 */
async function settle(deps: Deps, game: string, correction: Correction): Promise<void> {
  let said = correction;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const pushes = await deps.corrector.correct(game, said);
    forgetTops(game);
    for (const week of pushes) deps.background.run("push-top", () => pushTop(deps, game, week));
    const [says] = await deps.moderation.corrections(game, said.player);
    if (!says || sameState(said, says)) return;
    said = says;
  }
}

/** Makes a player's boards and feed in Redis what Postgres says. Throws DependencyError. */
export async function correctPlayer(deps: Deps, game: string, player: string): Promise<void> {
  const [correction] = await deps.moderation.corrections(game, player);
  if (correction) await settle(deps, game, correction);
}

/** When this isolate last began to correct a player again: plain values, so sharing them between requests is safe. */
const begun = new Map<string, number>();
const MOST_REMEMBERED = 1_000;

/** Corrects again after the response; once for many actions on a player. */
export function correctSoon(deps: Deps, game: string, player: string): void {
  const key = `${game}\n${player}`;
  const now = deps.clock.now();
  if (now - (begun.get(key) ?? 0) < COVERED_MS) return;
  if (begun.size >= MOST_REMEMBERED) begun.clear();
  begun.set(key, now);
  deps.background.run("correct", async () => {
    let slept = 0;
    for (const at of AGAIN_AFTER_MS) {
      await deps.sleep(at - slept);
      slept = at;
      await correctPlayer(deps, game, player);
    }
  });
}

/**
 * For the cron's reconcile, once a tick for each game that is awake: corrects whom somebody moderated in the last
 * minutes. The number that is left; the game stays awake until it is 0.
 */
export async function reapplyModeration(deps: Deps, game: string): Promise<number> {
  const corrections = await deps.moderation.corrections(game, undefined);
  if (corrections.length === 0) return 0;
  for (const correction of corrections) await settle(deps, game, correction);
  const left = await deps.moderation.forgetCorrections(game, CERTAIN_AFTER_SECONDS);
  if (left > 0) await deps.active.mark(game);
  return left;
}
