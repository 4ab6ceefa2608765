/** Corrects in Redis what a moderator changed in Postgres, and again until nothing on its way can undo it. */
import { createMemory } from "../memory.ts";
import type { Correction, CorrectionPages, ModerationPorts } from "./ports.ts";
import { timeIsUp } from "../limits.ts";
import { somePage } from "../page-size.ts";
import { pushTop, type PushDeps } from "../live/push-top.ts";
import { dropTops } from "../boards/top-cache.ts";
import type { GamePorts } from "../games/ports.ts";
import type { Runtime } from "../runtime.ts";

/** A submission that was committed before the action may reach Redis until its call's deadline, 2 s, has passed. */
const AGAIN_AFTER_MS = [1_000, 3_000];
/** Another action within this time is covered by the corrections that are already to come. */
const COVERED_MS = 900;
/** The cron corrects for this long: a rebuild may load a page that it read before. */
const CERTAIN_AFTER_SECONDS = 180;
/** Each round answers a submission that came in during the one before; a player who keeps submitting is corrected next time. */
const MOST_ROUNDS = 5;
/** Players whom the cron corrects before it asks Postgres whether it still says the same of them. */
const PAGE = 100;
/** Players corrected at once: a Worker has six connections. */
const AT_ONCE = 6;

type SettleDeps = Pick<ModerationPorts, "corrector"> & {
  readonly moderation: Pick<CorrectionPages, "correctionsOf" | "raiseModerated">;
} & PushDeps &
  Pick<Runtime, "background">;

export type CorrectDeps = SettleDeps & Pick<ModerationPorts, "moderation">;

const sameState = (a: Correction, b: Correction) =>
  JSON.stringify({ ...a, moderated: "" }) === JSON.stringify({ ...b, moderated: "" });

/** What `moderated` is afterwards in Redis. */
async function write(deps: SettleDeps, game: string, correction: Correction): Promise<bigint> {
  const { pushes, moderated } = await deps.corrector.correct(game, correction);
  for (const week of pushes) deps.background.run("push-top", () => pushTop(deps, game, week));
  return BigInt(moderated);
}

/** Writes them unless it gets late; those that were written. */
async function writeAll(deps: SettleDeps, game: string, corrections: readonly Correction[], late: () => boolean) {
  const waiting = [...corrections];
  const written: Correction[] = [];
  let ahead: bigint | undefined;
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined && !late(); next = waiting.shift()) {
      const moderated = await write(deps, game, next);
      if (moderated > (ahead ?? BigInt(next.moderated))) ahead = moderated;
      written.push(next);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, worker));
  if (ahead !== undefined) await deps.moderation.raiseModerated(game, String(ahead));
  dropTops(game);
  return written;
}

/**
 * Writes what Postgres said, then asks whether it still says so: a submission that raised a best between the two is
 * overwritten only until the next round. Those that are settled: Postgres said the same before and after the write.
 */
async function settle(deps: SettleDeps, game: string, corrections: readonly Correction[], late: () => boolean) {
  const settled: Correction[] = [];
  let open = corrections;
  for (let round = 0; round < MOST_ROUNDS && open.length > 0; round++) {
    const written = await writeAll(deps, game, open, late);
    if (written.length === 0) break;
    const players = written.map(({ player }) => player);
    const says = new Map((await deps.moderation.correctionsOf(game, players)).map((one) => [one.player, one]));
    const changed: Correction[] = [];
    for (const said of written) {
      const now = says.get(said.player);
      if (now && !sameState(said, now)) changed.push(now);
      else settled.push(said);
    }
    open = changed;
  }
  return settled;
}

/** Makes a player's boards and feed in Redis what Postgres says; false when that kept changing. Throws DependencyError. */
export async function correctPlayer(deps: CorrectDeps, game: string, player: string): Promise<boolean> {
  const corrections = await deps.moderation.correctionsOf(game, [player]);
  const settled = await settle(deps, game, corrections, () => false);
  return settled.length === corrections.length;
}

/** When this isolate last began to correct a player again: plain values, so sharing them between requests is safe. */
const begun = createMemory<number>();

/** Corrects again after the response; once for many actions on a player. */
export function correctSoon(deps: CorrectDeps, game: string, player: string): void {
  const key = `${game}\n${player}`;
  const now = deps.clock.now();
  if (now - (begun.get(key) ?? 0) < COVERED_MS) return;
  begun.set(key, now);
  deps.background.run("correct", async () => {
    let [slept, settled] = [0, true];
    for (const at of AGAIN_AFTER_MS) {
      await deps.sleep(at - slept);
      slept = at;
      settled = await correctPlayer(deps, game, player);
    }
    if (!settled) throw new Error("what Postgres says of the player kept changing; the cron goes on");
  });
}

export type Reapplied = {
  /** Players corrected, and still so when Postgres was asked again. */
  readonly settled: number;
  /** Players whom the cron has to correct again; the game stays awake until it is 0. */
  readonly left: number;
};

type ReapplyDeps = Omit<SettleDeps, "moderation"> &
  Pick<ModerationPorts, "correctionPages"> &
  Pick<GamePorts, "active"> &
  Pick<Runtime, "subrequests">;

/**
 * For the cron: corrects the players whom a moderator acted on in the last minutes, page by page, and deletes the corrections that
 * it made after everything on its way had arrived. Players whom it does not reach before the deadline wait for the next tick.
 */
export async function reapplyModeration(deps: ReapplyDeps, game: string, deadlineMs: number): Promise<Reapplied> {
  const late = () => timeIsUp(deps, deadlineMs);
  const moderation = deps.correctionPages;
  /** A page whose statements take too long is done again, shorter: nothing of it does harm twice. */
  const correctPage = async (behind: Correction | undefined, n: number) => {
    const found = await moderation.corrections(game, behind, n);
    if (found.length === 0) return undefined;
    const done = await settle({ ...deps, moderation }, game, found, late);
    const left = await moderation.deleteCorrections(game, done, CERTAIN_AFTER_SECONDS);
    return { settled: done.length, left, last: found.length === n ? found.at(-1) : undefined };
  };
  let [settled, left] = [0, 0];
  let after: Correction | undefined;
  do {
    const behind = after;
    const { page } = await somePage(`correct ${game}`, PAGE, (n) => correctPage(behind, n));
    if (!page) break;
    settled += page.settled;
    left = page.left;
    after = page.last;
  } while (after && !late());
  if (left > 0) await deps.active.mark(game);
  return { settled, left };
}
