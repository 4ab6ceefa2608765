/** The ranking engine over lua/src: builds KEYS and ARGV, reads the flat replies. */
import { DependencyError } from "../../domain/errors.ts";
import { FEED_HARD_CAP } from "../../domain/platform-limits.ts";
import { isOnRedis } from "../../domain/board/time.ts";
import type { Applied, Ranking, RecordedSubmission, Standing } from "../../services/submit/ports.ts";
import type { BoardPage } from "../../services/boards/ports.ts";
import {
  ALL_TIME,
  boardOf,
  isLive,
  isWhole,
  partOf,
  wholeOf,
  type Board,
  type Cursor,
  type RawEntry,
} from "../../domain/board/board.ts";
import type { RedisClient } from "./client.ts";
import { activityKey, boardKey, countedKey, leaseKey, moderatedKey, playersKey } from "./keys.ts";
import { eventArgs, parseFeedPage } from "./feed-entries.ts";
import { flatReply, seconds, timesOf, unreadable } from "./words.ts";

/** Calls that a read makes to count what the feed brought since the last one, a thousand entries each. */
const MOST_COUNTS = 20;
/** A stretch without entries: the player is not on the board. */
const NOT_ON_IT = { version: "0", firstRank: 0, firstCompetitionRank: 0, entries: [] };

const startArg = (board: Board) => timesOf(board)[0];

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

/** Reads a flat reply from the front. */
function reader(reply: readonly string[]) {
  let at = 0;
  const next = () => {
    const value = reply[at++];
    if (value === undefined) throw unreadable();
    return value;
  };
  const nextRank = () => {
    const rank = next();
    return rank === "" ? undefined : Number(rank);
  };
  return { next, nextNumber: () => Number(next()), nextRank, left: () => reply.length - at };
}

function parseApplied(reply: unknown, weeks: readonly string[], items: number): Applied {
  const from = reader(flatReply(reply));
  const status = from.next();
  const pushes: string[] = [];
  for (const week of weeks) {
    from.next();
    if (from.next() === "1") pushes.push(week);
  }
  const standings: Standing[] = [];
  for (let item = 0; item < items; item++) {
    standings.push({ rank: from.nextRank(), countryRank: from.nextRank(), allTimeRank: from.nextRank() });
  }
  const damaged = status === "ranked" && from.left() > 0;
  return { standings: status === "ranked" ? standings : undefined, pushes, damaged };
}

/** A version of several digits never begins with 0, unless Redis lost what it has to begin with. */
const isWholeVersion = (version: string) => version.length === 1 || !version.startsWith("0");

/** The library closed the board: one key does not hold its players. */
const isFull = (status: string | undefined) => status === "full";
const boardFull = () => new DependencyError("redis", "refused", "RECORD_SIZE");

/** Undefined: Redis does not have (all of) the game. */
function parsePage(reply: unknown): BoardPage | undefined {
  const from = reader(flatReply(reply));
  const status = from.next();
  if (status === "missing") return undefined;
  if (isFull(status)) throw boardFull();
  if (status === "absent") return { ...NOT_ON_IT, boardSize: from.nextNumber() };
  const page = {
    boardSize: from.nextNumber(),
    version: from.next(),
    firstRank: from.nextNumber(),
    firstCompetitionRank: from.nextNumber(),
  };
  if (!isWholeVersion(page.version)) return undefined;
  const entries: RawEntry[] = [];
  while (from.left() > 0) {
    entries.push({ player: from.next(), points: from.nextNumber(), achievedAtMs: from.nextNumber() * 1000 });
  }
  return { ...page, entries };
}

export function createRanking(redis: RedisClient, now: () => number): Ranking {
  const readKeys = (game: string, board: Board) => [
    activityKey(game),
    boardKey(game, board),
    moderatedKey(game),
    ...(isWhole(board) ? [] : [boardKey(game, wholeOf(board))]),
  ];
  const cursorArgs = (cursor: Cursor | undefined) =>
    cursor ? [String(cursor.points), seconds(cursor.achievedAtMs), cursor.player] : [];

  return {
    async apply(game, submissions) {
      const at = now();
      const boards = new Map([...boardsOf(submissions)].filter(([, board]) => isOnRedis(board, at)));
      const kept = submissions.filter(({ week }) => boards.has(week));
      if (kept.length === 0) return { standings: submissions.map(() => undefined), pushes: [], damaged: false };
      const { weeks, keys, args } = submitCall(game, boards, kept);
      const applied = parseApplied(await redis.call("lb_submit_v2", keys, args), weeks, kept.length);
      const standings = applied.standings?.values();
      return {
        ...applied,
        standings: standings && submissions.map((s) => (boards.has(s.week) ? standings.next().value : undefined)),
      };
    },

    async ensureEvents(game, events) {
      const args = [String(FEED_HARD_CAP), ...events.flatMap(eventArgs)];
      return Number(flatReply(await redis.call("lb_feed_v2", [activityKey(game)], args))[1]);
    },

    async takePush(game, week) {
      const board = boardOf(week);
      const keys = [...readKeys(game, board), leaseKey(game, week)];
      const reply = flatReply(await redis.call("lb_push_v2", keys, [startArg(board)]));
      return isFull(reply[0]) ? undefined : parsePage(reply);
    },

    async top(game, board, n, cursor) {
      const args = [startArg(board), String(n), ...cursorArgs(cursor)];
      const page = parsePage(await redis.read("lb_top_v2", readKeys(game, board), args));
      return page ? { found: page } : undefined;
    },

    async around(game, board, player, k) {
      const page = parsePage(
        await redis.read("lb_around_v2", readKeys(game, board), [startArg(board), player, String(k)]),
      );
      return page && { found: page };
    },

    async count(game, board) {
      const keys = [activityKey(game), boardKey(game, board)];
      const args: string[] = [];
      if (isLive(board)) {
        keys.push(playersKey(game, board.name), countedKey(game, board.name));
        args.push(board.name, timesOf(board)[1]);
      }
      for (let call = 1; ; call++) {
        const [status, estimate, ranked, more] = flatReply(await redis.call("lb_count_v2", keys, args));
        if (status === "missing") return undefined;
        if (isFull(status)) throw boardFull();
        if (more === "1" && call < MOST_COUNTS) continue;
        return { found: { estimate: Number(estimate === "" ? ranked : estimate), ranked: Number(ranked) } };
      }
    },

    async feed(game, n, before) {
      const key = activityKey(game);
      const newest = before === undefined ? "+" : `(${before}`;
      const page = parseFeedPage(await redis.command(["XREVRANGE", key, newest, "-", "COUNT", String(n + 1)]), n);
      if (page.found.events.length === 0 && (await redis.command(["EXISTS", key])) === 0) return undefined;
      return page;
    },

    async has(game) {
      return (await redis.command(["EXISTS", activityKey(game)])) === 1;
    },
  };
}
