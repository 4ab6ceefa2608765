/** Fills boards from Postgres: the rebuild's and the reconciliation's side of lua/src. */
import { FEED_HARD_CAP } from "../../domain/platform-limits.ts";
import { COUNTRIES } from "../../domain/country.ts";
import { allTimeScore, weeklyScore } from "../../domain/board/score.ts";
import { isKept, startOf, weekExpiry } from "../../domain/board/week.ts";
import type { BoardFiller, Fill, Run } from "../../services/healing/ports.ts";
import type { BoardRef, RawEntry } from "../../domain/board/board.ts";
import type { RedisClient } from "./client.ts";
import { eventArgs } from "./feed-entries.ts";
import {
  activityKey,
  BADGE_GROUP,
  boardKey,
  everyKey,
  leaseKey,
  moderatedKey,
  playersKey,
  rebuildKey,
  rebuildStateKey,
} from "./keys.ts";
import { flatReply, seconds } from "./words.ts";

const ALL_TIME: BoardRef = { kind: "all-time" };
const ofWeek = (week: string, country?: string): BoardRef => ({ kind: "week", week, country });

/** The board whose top 10 is pushed; undefined for the boards that have none. */
const liveWeek = (board: BoardRef) => (board.kind === "week" && board.country === undefined ? board.week : undefined);

/** Packs an entry of the board as the library does: 17 digits are exact, and with a point in them every Lua reads them. */
function packerOf(board: BoardRef): (entry: RawEntry) => string {
  if (board.kind === "all-time")
    return (entry) => allTimeScore(entry.points, entry.achievedAtMs / 1000).toExponential(16);
  const startsAtMs = startOf(board.week);
  return (entry) => String(weeklyScore(entry.points, (entry.achievedAtMs - startsAtMs) / 1000));
}

type Mode = { readonly clear?: boolean; readonly announce?: boolean };

/** KEYS and ARGV of boards to fill, in the order that `parse_fill` of the library reads them. */
function fillCall(game: string, fills: readonly Fill[], mode: Mode) {
  const keys: string[] = [];
  const args: string[] = [];
  for (const { board, entries, leavers } of fills) {
    const week = liveWeek(board);
    keys.push(boardKey(game, board));
    if (week !== undefined) keys.push(playersKey(game, week));
    const announced = mode.announce === true && (board.kind === "all-time" || week !== undefined);
    if (announced) {
      const moderated = moderatedKey(game);
      keys.push(moderated, week === undefined ? moderated : leaseKey(game, week));
    }
    args.push(
      board.kind === "week" ? seconds(startOf(board.week)) : "",
      board.kind === "week" ? seconds(weekExpiry(board.week)) : "",
      (mode.clear ? "d" : "") + (week === undefined ? "" : "p") + (announced ? "t" : ""),
      String(entries.length),
      String(leavers.length),
    );
    const pack = packerOf(board);
    for (const entry of entries) args.push(pack(entry), entry.player);
    args.push(...leavers);
  }
  return { keys, args };
}

export function createBoardFiller(redis: RedisClient, newToken: () => string, now: () => number): BoardFiller {
  const kept = (fills: readonly Fill[]) =>
    fills.filter(({ board }) => board.kind === "all-time" || isKept(board.week, now()));

  async function page(game: string, run: Run, leaseMs: number, position: string, fills: readonly Fill[], mode: Mode) {
    const { keys, args } = fillCall(game, fills, mode);
    const reply = await redis.call(
      "lb_page_v2",
      [rebuildKey(game), rebuildStateKey(game), ...keys],
      [run.token, run.run, String(leaseMs), position, ...args],
    );
    return flatReply.parse(reply)[0] === "ok";
  }

  return {
    async begin(game, leaseMs) {
      const token = newToken();
      const keys = [activityKey(game), rebuildKey(game), rebuildStateKey(game)];
      const [status, run = "", position = ""] = flatReply.parse(
        await redis.call("lb_begin_v2", keys, [token, String(leaseMs)]),
      );
      if (status === "begun") return { token, run, position };
      return status === "warm" ? "warm" : "busy";
    },

    clear(game, run, leaseMs, weeks, position) {
      const boards = [ALL_TIME, ...weeks.flatMap((week) => [ofWeek(week), ...COUNTRIES.map((c) => ofWeek(week, c))])];
      const fills = boards.map((board) => ({ board, entries: [], leavers: [] }));
      return page(game, run, leaseMs, position, fills, { clear: true });
    },

    page: (game, run, leaseMs, position, fills) => page(game, run, leaseMs, position, kept(fills), {}),

    async finish(game, run, moderated, events) {
      const keys = [activityKey(game), rebuildKey(game), rebuildStateKey(game), moderatedKey(game)];
      const head = [run.token, run.run, moderated, String(FEED_HARD_CAP), BADGE_GROUP, ""];
      const reply = await redis.call("lb_finish_v2", keys, [...head, ...events.flatMap(eventArgs)]);
      return flatReply.parse(reply)[0] === "opened";
    },

    async forget(game, weeks) {
      await redis.command(["UNLINK", ...everyKey(game, weeks)]);
    },

    async fill(game, moderated, all) {
      const given = kept(all);
      const fills = given.length > 0 ? given : [{ board: ALL_TIME, entries: [], leavers: [] }];
      const { keys, args } = fillCall(game, fills, { announce: true });
      const [, , ...leases] = flatReply.parse(await redis.call("lb_fill_v2", keys, [moderated, ...args]));
      return fills.flatMap(({ board }, i) => (leases[i] === "1" ? (liveWeek(board) ?? []) : []));
    },
  };
}
