/** The ranking engine over lua/src: builds KEYS and ARGV, reads the flat replies. */
import { DependencyError } from "../../domain/errors.ts";
import { FEED_HARD_CAP } from "../../domain/platform-limits.ts";
import type { Ranking } from "../../services/submit/ports.ts";
import type { BoardPage } from "../../services/boards/ports.ts";
import { boardOf, isLive, isWhole, wholeOf, type Board, type Cursor, type RawEntry } from "../../domain/board/board.ts";
import type { RedisClient } from "./client.ts";
import { activityKey, boardKey, countedKey, leaseKey, moderatedKey, playersKey } from "./keys.ts";
import { eventArgs, parseFeedPage } from "./feed-entries.ts";
import { readerOf } from "./reply-reader.ts";
import { applySubmissions } from "./submission-ranker.ts";
import { flatReply, seconds, timesOf } from "./words.ts";

/** Calls that a read makes to count what the feed brought since the last one, a thousand entries each. */
const MOST_COUNTS = 20;
/** A stretch without entries: the player is not on the board. */
const NOT_ON_IT = { version: "0", firstRank: 0, firstCompetitionRank: 0, entries: [] };

const startArg = (board: Board) => timesOf(board)[0];

/** A version of several digits never begins with 0, unless Redis lost what it has to begin with. */
const isWholeVersion = (version: string) => version.length === 1 || !version.startsWith("0");

/** The library closed the board: one key does not hold its players. */
const isFull = (status: string | undefined) => status === "full";
const boardFull = () => new DependencyError("redis", "refused", "RECORD_SIZE");

/** Undefined: Redis does not have (all of) the game. */
function parsePage(reply: unknown): BoardPage | undefined {
  const from = readerOf(flatReply(reply));
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
    apply: (game, submissions, entries) => applySubmissions(redis, game, submissions, entries, now()),

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
