/** Ranks submissions: lb_submit_v2, and lb_submit_v3 where some count on boards that the game defined. */
import { ALL_TIME, boardOf, partOf, type Board } from "../../domain/board/board.ts";
import { FEED_HARD_CAP } from "../../domain/platform-limits.ts";
import { isOnRedis } from "../../domain/board/time.ts";
import type { Applied, RankedEntry, RecordedSubmission, Standing } from "../../services/submit/ports.ts";
import type { RedisClient } from "./client.ts";
import { entryCall, readPlaces, type EntryCall } from "./entry-call.ts";
import { activityKey, boardKey, leaseKey } from "./keys.ts";
import { readerOf, type ReplyReader } from "./reply-reader.ts";
import { flatReply, seconds, timesOf } from "./words.ts";

/** The boards that end and that these submissions are on, by name. */
const boardsOf = (submissions: readonly RecordedSubmission[]) =>
  new Map([...new Set(submissions.map(({ week }) => week))].map((week) => [week, boardOf(week)]));

/** KEYS and ARGV of lb_submit_v2; the order is the library's (see the header of `submit` there). */
function submitCall(game: string, boards: ReadonlyMap<string, Board>, submissions: readonly RecordedSubmission[]) {
  const weeks = [...boards.keys()];
  const allTime = boardKey(game, ALL_TIME);
  // Keys of this library's first release, which it does not use any more, have a board's key in their place.
  const keys = [activityKey(game), allTime, allTime];
  for (const [week, board] of boards) keys.push(boardKey(game, board), boardKey(game, board), leaseKey(game, week));
  const numbers = new Map<string, number>();
  const numberOf = (week: string, country: string) => {
    const key = boardKey(game, partOf(boards.get(week) ?? boardOf(week), country));
    let number = numbers.get(key);
    if (number === undefined) {
      number = keys.push(key);
      numbers.set(key, number);
    }
    return String(number);
  };

  const args = [submissions[0]?.nowUs ?? "0", String(FEED_HARD_CAP), String(weeks.length)];
  for (const [week, board] of boards) args.push(week, ...timesOf(board));
  for (const s of submissions) {
    const heal = s.replayed || s.unverified;
    args.push(
      s.replayed ? "" : s.submissionId,
      s.player,
      String(s.points),
      String(s.submittedAtMs),
      String(weeks.indexOf(s.week) + 1),
      String(s.thisWeek.best.points),
      seconds(s.thisWeek.best.achievedAtMs),
      s.country === undefined ? "0" : numberOf(s.week, s.country),
      s.leftCountries.map((country) => numberOf(s.week, country)).join(","),
      String(s.allTime.best.points),
      seconds(s.allTime.best.achievedAtMs),
      (heal || s.thisWeek.raised ? "w" : "") + (heal || s.allTime.raised ? "a" : ""),
    );
  }
  return { weeks, keys, args };
}

function readWeeks(from: ReplyReader, weeks: readonly string[]): string[] {
  const pushes: string[] = [];
  for (const week of weeks) {
    from.next();
    if (from.next() === "1") pushes.push(week);
  }
  return pushes;
}

const readStandings = (from: ReplyReader, items: number): Standing[] =>
  Array.from({ length: items }, () => ({
    rank: from.nextRank(),
    countryRank: from.nextRank(),
    allTimeRank: from.nextRank(),
  }));

function parseApplied(reply: unknown, weeks: readonly string[], items: number): Applied {
  const from = readerOf(flatReply(reply));
  const isRanked = from.next() === "ranked";
  const pushes = readWeeks(from, weeks);
  const standings = readStandings(from, items);
  const damaged = isRanked && from.left() > 0;
  return { standings: isRanked ? standings : undefined, places: isRanked ? [] : undefined, pushes, damaged };
}

/** Of contract 3, where the word for damage comes second and entries last. */
function parseWithEntries(
  reply: unknown,
  weeks: readonly string[],
  items: number,
  { sent }: EntryCall,
  entries: number,
): Applied {
  const from = readerOf(flatReply(reply));
  const [isRanked, isDamaged] = [from.next() === "ranked", from.next() === "1"];
  const pushes = readWeeks(from, weeks);
  const standings = readStandings(from, items);
  const places = readPlaces(from, sent, entries);
  return {
    standings: isRanked ? standings : undefined,
    places: isRanked ? places : undefined,
    pushes,
    damaged: isRanked && isDamaged,
  };
}

/** One call; submissions of weeks that Redis keeps no longer have no standing. */
export async function applySubmissions(
  redis: RedisClient,
  game: string,
  submissions: readonly RecordedSubmission[],
  entries: readonly RankedEntry[],
  nowMs: number,
): Promise<Applied> {
  const boards = new Map([...boardsOf(submissions)].filter(([, board]) => isOnRedis(board, nowMs)));
  const kept = submissions.filter(({ week }) => boards.has(week));
  if (kept.length === 0 && entries.length === 0)
    return { standings: submissions.map(() => undefined), places: [], pushes: [], damaged: false };
  const { weeks, keys, args } = submitCall(game, boards, kept);
  let applied: Applied;
  if (entries.length === 0) applied = parseApplied(await redis.call("lb_submit_v2", keys, args), weeks, kept.length);
  else {
    const call = entryCall(game, entries, keys);
    const reply = await redis.call("lb_submit_v3", keys, [...args, ...call.args]);
    applied = parseWithEntries(reply, weeks, kept.length, call, entries.length);
  }
  const standings = applied.standings?.values();
  return {
    ...applied,
    standings: standings && submissions.map((s) => (boards.has(s.week) ? standings.next().value : undefined)),
  };
}
