/** Awarding from Postgres alone, and telling the room. */
import { MAX_PUSH_BADGES, MAX_PUSH_BYTES } from "../../contract/live.ts";
import { currentBoard } from "../../domain/board/time.ts";
import { timeIsUp } from "../limits.ts";
import { somePage } from "../page-size.ts";
import type { BadgePorts, NewBadge } from "./ports.ts";
import { shardsOf } from "../live/shards.ts";
import type { GamePorts } from "../games/ports.ts";
import type { LivePorts } from "../live/ports.ts";
import type { Runtime } from "../runtime.ts";

/** What a push says beside its badges. */
const FRAME_BYTES = 100;
/** Submissions that one statement judges: about a second of Postgres' time. */
const PAGE = 20_000;

export type AwardDeps = Pick<BadgePorts, "badges"> &
  LivePorts &
  Pick<GamePorts, "games"> &
  Pick<Runtime, "background" | "clock" | "subrequests">;

/** The badges in parts that a room takes in one push each. */
export function* partsOf(badges: readonly NewBadge[]): Generator<NewBadge[]> {
  const encoder = new TextEncoder();
  let [part, bytes]: [NewBadge[], number] = [[], FRAME_BYTES];
  for (const badge of badges) {
    const size = encoder.encode(JSON.stringify(badge)).byteLength + 1;
    if (part.length === MAX_PUSH_BADGES || bytes + size > MAX_PUSH_BYTES) {
      yield part;
      [part, bytes] = [[], FRAME_BYTES];
    }
    part.push(badge);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

/** Tells the rooms of the current week; a part that fails does not keep the others back. Throws what the last one threw. */
export async function announceBadges(deps: AwardDeps, game: string, badges: readonly NewBadge[]): Promise<void> {
  const week = currentBoard(deps.clock.now()).name;
  const shards = await shardsOf(deps, game);
  let failure: unknown;
  for (const part of partsOf(badges)) {
    await deps.rooms.pushBadges(game, week, part, shards).catch((error: unknown) => (failure = error));
  }
  if (failure !== undefined) throw failure;
}

/** Announces after the job's answer; the background logs a failure. */
export function announceSoon(deps: AwardDeps, game: string, badges: readonly NewBadge[]): void {
  if (badges.length > 0) deps.background.run("announce-badges", () => announceBadges(deps, game, badges));
}

export type CaughtUp = {
  readonly awarded: number;
  readonly judged: number;
  /** Every submission so far was judged for good. */
  readonly complete: boolean;
  /** Undefined: there is no such game. */
  readonly feedLength: number | undefined;
  /** Redis has to follow a moderator. */
  readonly moderated: boolean;
};

/**
 * Judges every settled submission once, whatever the activity stream has seen of it: entries that were trimmed,
 * deleted with the stream or never written cost no badge. One short statement for a game with nothing to catch up.
 */
export async function catchUpBadges(deps: AwardDeps, game: string, deadlineMs: number, page = PAGE): Promise<CaughtUp> {
  let [awarded, judged] = [0, 0];
  for (;;) {
    const { page: step } = await somePage(`award ${game}`, page, (n) => deps.badges.awardNext(game, n));
    announceSoon(deps, game, step.awarded);
    awarded += step.awarded.length;
    judged += step.judged;
    const { behind, settling, feedLength, moderated } = step;
    if (!behind || timeIsUp(deps, deadlineMs)) {
      return { awarded, judged, complete: !behind && !settling, feedLength, moderated };
    }
  }
}

/** Awards what history deserves by today's thresholds, quietly: news of last year is none for the room. */
export async function backfillBadges(
  deps: Pick<BadgePorts, "badges">,
  game: string,
  progress: (so: { readonly judged: number; readonly awarded: number }) => void,
  page = PAGE,
): Promise<{ readonly judged: number; readonly awarded: number }> {
  let [awarded, judged] = [0, 0];
  let after: string | undefined;
  do {
    const from = after;
    const { page: step } = await somePage(`history ${game}`, page, (n) => deps.badges.awardHistory(game, from, n));
    awarded += step.awarded;
    judged += step.judged;
    after = step.next;
    progress({ judged, awarded });
  } while (after !== undefined);
  return { judged, awarded };
}
