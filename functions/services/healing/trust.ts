/**
 * Whether Redis may be believed about a game: it is compared with Postgres at the first request of an isolate, now and then
 * after that, and whenever an answer does not fit what the isolate saw before. Plain values, shared between requests.
 */
import { DependencyError } from "../../domain/errors.ts";
import { ALL_TIME, boardOf, labelOf, parseLabel, wholeOf, type Board } from "../../domain/board/board.ts";
import { isPeriodLabel, type PeriodBoard } from "../../domain/board/period-board.ts";
import { isOnRedis } from "../../domain/board/time.ts";
import { inspectGame } from "./inspect.ts";
import { mendBehind, mendLost, type MendDeps } from "./mend.ts";
import { removeGame } from "./rebuild.ts";
import type { Subject } from "./inspection-ports.ts";
import { playersUnderWay } from "./under-way.ts";
import { createMemory } from "../memory.ts";
import type { Runtime } from "../runtime.ts";
import type { RankedEntry, RecordedSubmission } from "../submit/ports.ts";

/** The pause after the first look; each look that finds nothing doubles it. */
const FIRST_PAUSE_MS = 250;
/** Submissions wake Postgres anyway. */
const LONGEST_FOR_SUBMISSIONS_MS = 5_000;
/** Reads of a game that is played, and of one that rests: they must let Postgres sleep. */
const LONGEST_FOR_READS_MS = { played: 30_000, resting: 600_000 };
const RESTING_AFTER_MS = 300_000;
/** A request does not wait longer for a look: Redis must go on answering while Postgres is out. */
const WAIT_MS = 1_000;
/** Requests that look at once; more of them go without. */
const AT_ONCE = 20;
const MOST_REMEMBERED = 20_000;
/** Countries of one batch that are looked at, and boards that the game defined. */
const MOST_COUNTRIES = 20;
const MOST_DEFINED = 16;

export type Occasion = "read" | "submission";

type Schedule = {
  lookedAtMs: number;
  pauseMs: number;
  looking: number;
  newest: string | undefined;
  changedAtMs: number;
};
const schedules = createMemory<Schedule>(MOST_REMEMBERED);

function scheduleOf(key: string): Schedule {
  let schedule = schedules.get(key);
  if (!schedule) {
    schedule = { lookedAtMs: 0, pauseMs: 0, looking: 0, newest: undefined, changedAtMs: 0 };
    schedules.set(key, schedule);
  }
  return schedule;
}

/** Plans the next look after one that found nothing wrong. */
function plan(schedule: Schedule, newest: string | undefined, now: number): void {
  if (schedule.newest !== newest) [schedule.newest, schedule.changedAtMs] = [newest, now];
  const longest = LONGEST_FOR_READS_MS[now - schedule.changedAtMs < RESTING_AFTER_MS ? "played" : "resting"];
  schedule.lookedAtMs = now;
  schedule.pauseMs = Math.min(longest, Math.max(FIRST_PAUSE_MS, schedule.pauseMs * 2));
}

/** Behind the key of a board that the game defined. */
const OF_GAME = "\n.";

/** What a look at the subject proves: a board, a board of a country, or one that the game defined. */
const keysOf = (game: string, { boards, countries, defined }: Subject): string[] => [
  ...boards.flatMap(({ name }) => ["", ...(countries === "any" ? [] : countries)].map((c) => `${game}\n${name}\n${c}`)),
  ...defined.map(({ key }) => `${game}\n${key}${OF_GAME}`),
];

/**
 * Whether the subject has not been looked at for too long. There are many countries: after the first look at one, a submission
 * looks when its whole board is due.
 */
function isDue(deps: Pick<Runtime, "clock">, game: string, subject: Subject, occasion: Occasion): boolean {
  const now = deps.clock.now();
  return keysOf(game, subject).some((key) => {
    const { lookedAtMs, pauseMs, looking } = scheduleOf(key);
    if (looking >= AT_ONCE) return false;
    if (occasion === "read") return now - lookedAtMs >= pauseMs;
    // There may be one for each song of a game: submissions look at them when they look at the others.
    if (key.endsWith(OF_GAME)) return false;
    if (!key.endsWith("\n")) return lookedAtMs === 0;
    return now - lookedAtMs >= Math.min(pauseMs, LONGEST_FOR_SUBMISSIONS_MS);
  });
}

type Ranked = { readonly countries: ReadonlySet<string>; readonly defined: ReadonlyMap<string, PeriodBoard> };

/**
 * Countries and boards of the game's own that this isolate ranked submissions on since it looked at their game: the next look is
 * at them, too.
 */
const ranked = createMemory<Ranked>(MOST_REMEMBERED);

function withRanked(game: string, { countries, defined, ...subject }: Subject): Subject {
  const known = ranked.get(game);
  const inCountries = countries === "any" ? [] : countries;
  return {
    ...subject,
    countries: [...new Set([...inCountries, ...(known?.countries ?? [])])].slice(0, MOST_COUNTRIES),
    defined: [
      ...new Map([...defined.map((board) => [board.key, board] as const), ...(known?.defined ?? [])]).values(),
    ].slice(0, MOST_DEFINED),
  };
}

function noteRanked(game: string, subject: Subject): void {
  const { countries, defined } = withRanked(game, subject);
  const keyed = defined.map((board) => [board.key, board] as const);
  ranked.set(game, { countries: new Set(countries === "any" ? [] : countries), defined: new Map(keyed) });
}

/** `sound`: Redis may be believed, or it cannot be told. `filled`: from now on. `lost`: it has to be rebuilt, or to go. */
type Finding = "sound" | "filled" | "lost" | { readonly unanswered: DependencyError };

/** Looks, and mends what differs. Never throws. */
async function look(deps: MendDeps, game: string, subject: Subject): Promise<Finding> {
  const all = keysOf(game, subject).map(scheduleOf);
  for (const schedule of all) schedule.looking += 1;
  try {
    const looked = { ...subject, except: playersUnderWay(deps, game) };
    const { verdict, seen: sightings, newest } = await inspectGame(deps, game, looked);
    const now = deps.clock.now();
    if (verdict === "sound" || verdict === "missing" || verdict === "unknown") {
      for (const schedule of all) plan(schedule, newest, now);
      if (verdict === "unknown" && (await deps.ranking.has(game))) {
        await removeGame(deps, game);
        return "lost";
      }
      for (const [name, sighting] of sightings) if (!isPeriodLabel(name)) note(game, parseLabel(name), sighting);
      return "sound";
    }
    for (const schedule of all) [schedule.lookedAtMs, schedule.pauseMs] = [0, 0];
    await (verdict === "lost" ? mendLost(deps, game) : mendBehind(deps, game));
    return verdict === "lost" ? verdict : "filled";
  } catch (error) {
    if (!(error instanceof DependencyError)) throw error;
    for (const schedule of all) plan(schedule, schedule.newest, deps.clock.now());
    return error.dependency === "redis" ? { unanswered: error } : "sound";
  } finally {
    for (const schedule of all) schedule.looking -= 1;
  }
}

/** As `look`, but no longer than a request may wait; the look goes on after the response. */
async function lookInTime(deps: MendDeps, game: string, subject: Subject, occasion: Occasion): Promise<boolean> {
  const looking = look(deps, game, subject);
  deps.background.run("inspect", async () => void (await looking));
  const finding = await Promise.race([looking, deps.sleep(WAIT_MS).then((): Finding => "sound")]);
  if (typeof finding !== "string") {
    // A read has asked Redis itself, and a submission would: once is enough to wait.
    if (occasion === "submission") throw finding.unanswered;
    return true;
  }
  // A read asked Redis beside the look, a submission asks it after that.
  return finding === "sound" || (occasion === "submission" && finding === "filled");
}

export const subjectOfBoard = (board: Board): Subject => ({
  boards: [wholeOf(board)],
  defined: [],
  countries: board.country === undefined ? [] : [board.country],
  upkeep: false,
});

export const subjectOfPeriodBoard = (board: PeriodBoard): Subject => ({
  boards: [],
  defined: [board],
  countries: [],
  upkeep: false,
});

/** The boards that these submissions are ranked on. */
export function subjectOfSubmissions(
  deps: Pick<Runtime, "clock">,
  submissions: readonly RecordedSubmission[],
  entries: readonly RankedEntry[],
): Subject {
  const now = deps.clock.now();
  const boards = [...new Set(submissions.map(({ week }) => week))].map((week) => boardOf(week));
  const countries = new Set(submissions.flatMap(({ country }) => country ?? []));
  return {
    boards: [...boards.filter((board) => isOnRedis(board, now)), ALL_TIME],
    defined: [...new Map(entries.map(({ board }) => [board.key, board])).values()].slice(0, MOST_DEFINED),
    countries: [...countries].slice(0, MOST_COUNTRIES),
    upkeep: false,
  };
}

/** True when Redis may be believed about these boards: it was compared lately, or is now. Throws for a submission, when Redis is out. */
export function trusts(deps: MendDeps, game: string, subject: Subject, occasion: Occasion): Promise<boolean> {
  const due = isDue(deps, game, subject, occasion);
  if (occasion === "submission" && due) {
    const all = withRanked(game, subject);
    ranked.delete(game);
    return lookInTime(deps, game, all, occasion);
  }
  if (occasion === "submission") noteRanked(game, subject);
  return due ? lookInTime(deps, game, subject, occasion) : Promise.resolve(true);
}

/** An answer did not fit: compares now, however lately that was done. */
export const looksAgain = lookInTime;

/** What this isolate saw of a board: its size, and the points of the first place where that is known. */
export type Sight = { readonly size: number; readonly first: number | undefined };
const seen = createMemory<Sight>(MOST_REMEMBERED);
const keyOf = (game: string, board: Board) => `${game}\n${labelOf(board)}`;

/** Whether a board may look like that: it is not smaller than this isolate saw it. */
export const fits = (game: string, board: Board, sight: Sight): boolean =>
  sight.size >= (seen.get(keyOf(game, board))?.size ?? 0);

/** Notes what was seen and believed; a size that was proven may be smaller than the one before. */
export function note(game: string, board: Board, sight: Partial<Sight>): void {
  const key = keyOf(game, board);
  const known = seen.get(key);
  seen.set(key, { size: sight.size ?? known?.size ?? 0, first: sight.first ?? known?.first });
}

/** Notes that a board has at least so many players. */
export function noteSize(game: string, board: Board, atLeast: number): void {
  if (atLeast > (seen.get(keyOf(game, board))?.size ?? 0)) note(game, board, { size: atLeast });
}

/** Whether a player may be first with these points: the one that was seen there has no more. */
export function mayBeFirst(game: string, board: Board, points: number): boolean {
  const first = seen.get(keyOf(game, board))?.first;
  return first !== undefined && points >= first;
}
