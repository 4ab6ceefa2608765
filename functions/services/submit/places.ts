/**
 * Places that Redis does not know, from Postgres: in weeks that it keeps no longer (a retry may come that late: an offline
 * queue, an import that is run again), and on boards that outgrew one key of Redis.
 */
import { DependencyError } from "../../domain/errors.ts";
import { ALL_TIME, boardOf, type Board } from "../../domain/board/board.ts";
import { isOnRedis } from "../../domain/board/time.ts";
import type { RecordedSubmission, Standing } from "./ports.ts";
import type { BoardPorts } from "../boards/ports.ts";
import type { Runtime } from "../runtime.ts";

/** Postgres counts who is ahead, which takes as long as the place is far down: of more of them in one call, none is looked up. */
const MOST_PAST = 100;
/** On full boards the first so many of a call are, since every call there has some. */
const MOST_FULL = 10;
/** And so many calls of an isolate look at a time; the others leave them out. */
const MOST_LOOKING = 4;
/** A request that was cancelled must not count for ever. */
const LOOKING_MS = 10_000;

/** When those that look end at the latest: plain values, so sharing them between requests is safe. */
const looking = new Set<{ readonly untilMs: number }>();

const NOTHING: Standing = { rank: undefined, countryRank: undefined, allTimeRank: undefined };

/** The standing with what it lacks; undefined when a moderator took the player off meanwhile. */
async function complete(
  deps: BoardPorts,
  game: string,
  s: RecordedSubmission,
  known: Standing,
): Promise<Standing | undefined> {
  const rankOn = async (board: Board) => (await deps.history.around(game, board, s.player, 0))?.firstRank;
  const [rank, countryRank, allTimeRank] = await Promise.all([
    known.rank ?? rankOn(boardOf(s.week)),
    known.countryRank ?? (s.country === undefined ? undefined : rankOn(boardOf(s.week, s.country))),
    known.allTimeRank ?? rankOn(ALL_TIME),
  ]);
  return rank === undefined || allTimeRank === undefined ? undefined : { rank, countryRank, allTimeRank };
}

/** True while few enough others look; `done` ends this one. */
function mayLook(nowMs: number): { readonly done: () => void } | undefined {
  for (const other of looking) if (other.untilMs < nowMs) looking.delete(other);
  if (looking.size >= MOST_LOOKING) return undefined;
  const own = { untilMs: nowMs + LOOKING_MS };
  looking.add(own);
  return { done: () => looking.delete(own) };
}

/** Boards of these standings that are full: Redis has the game and knows no place there. */
export const lacksPlace = (standing: Standing | undefined): boolean =>
  standing !== undefined && (standing.rank === undefined || standing.allTimeRank === undefined);

/** The standings of a call with the places that Redis does not know, as far as Postgres tells them now. */
export async function withPlaces(
  deps: BoardPorts & Pick<Runtime, "clock">,
  game: string,
  recorded: readonly RecordedSubmission[],
  standings: readonly (Standing | undefined)[] | undefined,
): Promise<readonly (Standing | undefined)[]> {
  const found = recorded.map((_, i) => standings?.[i]);
  const now = deps.clock.now();
  const past = recorded.flatMap(({ week }, i) => (isOnRedis(boardOf(week), now) ? [] : [i]));
  const full = found.flatMap((standing, i) => (lacksPlace(standing) ? [i] : []));
  const looks = full.length > 0 ? mayLook(now) : undefined;
  const wanted = [...(past.length > MOST_PAST ? [] : past), ...(looks ? full.slice(0, MOST_FULL) : [])];
  try {
    await Promise.all(
      wanted.map(async (i) => {
        const [submission, known = NOTHING] = [recorded[i], found[i]];
        if (submission) found[i] = (await complete(deps, game, submission, known)) ?? found[i];
      }),
    );
  } catch (error) {
    if (!(error instanceof DependencyError)) throw error;
  } finally {
    looks?.done();
  }
  return found;
}
