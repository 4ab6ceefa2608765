/** Fills boards from Postgres: the rebuild's and the reconciliation's side of lua/src. */
import { chunks } from "../../domain/page.ts";
import { FEED_HARD_CAP } from "../../domain/platform-limits.ts";
import { packText } from "../../domain/board/score.ts";
import { isOnRedis } from "../../domain/board/time.ts";
import { entryText, expiryOf, givenTo, isKept } from "../../domain/board/period-board.ts";
import { timeBitsOf } from "../../domain/board/packing.ts";
import type { BoardFiller, Fill, PeriodFill, Rebuild } from "../../services/healing/ports.ts";
import { ALL_TIME, isLive, isWhole, withParts } from "../../domain/board/board.ts";
import type { RedisClient } from "./client.ts";
import { eventArgs } from "./feed-entries.ts";
import {
  activityKey,
  BADGE_GROUP,
  boardKey,
  changesKey,
  everyKey,
  leaseKey,
  moderatedKey,
  periodBoardKey,
  playersKey,
  rebuildKey,
  rebuildStateKey,
} from "./keys.ts";
import { flatReply, timesOf } from "./words.ts";

const REMOVED_AT_ONCE = 1_000;

type Mode = { readonly clear?: boolean; readonly announce?: boolean };

type Words = { readonly keys: readonly string[]; readonly flags: string; readonly head: readonly string[] };

/** Its keys, its flags, and what stands in front of them: first second and expiry. */
function ofBoard(game: string, { board }: Exclude<Fill, PeriodFill>, announced: boolean): Words {
  const live = isLive(board);
  const moderated = moderatedKey(game);
  return {
    keys: [
      boardKey(game, board),
      ...(live ? [playersKey(game, board.name)] : []),
      ...(announced && isWhole(board) ? [moderated, live ? leaseKey(game, board.name) : moderated] : []),
    ],
    flags: (live ? "p" : "") + (announced && isWhole(board) ? "t" : ""),
    head: timesOf(board),
  };
}

/** No room, so no lease: `moderated` stands in for it. Only a whole board has `changes`: a part stands in for its own. */
function ofPeriodBoard(game: string, { periodBoard, part }: PeriodFill, announced: boolean): Words {
  const [key, moderated] = [periodBoardKey(game, periodBoard.key, part), moderatedKey(game)];
  const newer = givenTo(periodBoard) === "newer";
  const isAnnounced = announced && part === undefined;
  const expiry = expiryOf(periodBoard);
  return {
    keys: [
      key,
      ...(isAnnounced ? [moderated, moderated] : []),
      ...(newer ? [part ? key : changesKey(game, periodBoard.key)] : []),
    ],
    flags: (isAnnounced ? "t" : "") + (newer ? "n" : "r"),
    head: ["", expiry === undefined ? "" : String(Math.ceil(expiry / 1_000))],
  };
}

/** KEYS and ARGV of boards to fill, in the order that `parse_fill` of the library reads them. */
function fillCall(game: string, fills: readonly Fill[], { clear = false, announce = false }: Mode) {
  const keys: string[] = [];
  const args: string[] = [];
  for (const fill of fills) {
    const { entries, removals } = fill;
    const isDefined = "periodBoard" in fill;
    const words = isDefined ? ofPeriodBoard(game, fill, announce) : ofBoard(game, fill, announce);
    keys.push(...words.keys);
    args.push(...words.head, (clear ? "d" : "") + words.flags, String(entries.length), String(removals.length));
    if (words.flags.endsWith("n") && isDefined) args.push(String(timeBitsOf(fill.periodBoard.packing.split)));
    for (const entry of entries) {
      args.push(isDefined ? entryText(fill.periodBoard, entry) : packText(fill.board, entry), entry.player);
    }
    args.push(...removals);
  }
  return { keys, args };
}

export function createBoardFiller(redis: RedisClient, newToken: () => string, now: () => number): BoardFiller {
  const kept = (fills: readonly Fill[]) =>
    fills.filter((fill) => ("periodBoard" in fill ? isKept(fill.periodBoard, now()) : isOnRedis(fill.board, now())));

  async function page(
    game: string,
    rebuild: Rebuild,
    leaseMs: number,
    position: string,
    fills: readonly Fill[],
    mode: Mode,
  ) {
    const { keys, args } = fillCall(game, fills, mode);
    const reply = await redis.call(
      "lb_page_v2",
      [rebuildKey(game), rebuildStateKey(game), ...keys],
      [rebuild.token, rebuild.id, String(leaseMs), position, ...args],
    );
    return flatReply(reply)[0] === "ok";
  }

  return {
    async begin(game, leaseMs) {
      const token = newToken();
      const keys = [activityKey(game), rebuildKey(game), rebuildStateKey(game)];
      const [status, id = "", position = ""] = flatReply(
        await redis.call("lb_begin_v2", keys, [token, String(leaseMs)]),
      );
      if (status === "begun") return { token, id, position };
      return status === "ready" ? "ready" : "busy";
    },

    clear(game, rebuild, leaseMs, boards, defined, position) {
      const nothing = { entries: [], removals: [] };
      const fills: Fill[] = boards.flatMap(withParts).map((board) => ({ board, ...nothing }));
      for (const { periodBoard, parts } of defined)
        fills.push(...[undefined, ...parts].map((part) => ({ periodBoard, part, ...nothing })));
      return page(game, rebuild, leaseMs, position, fills, { clear: true });
    },

    page: (game, rebuild, leaseMs, position, fills) => page(game, rebuild, leaseMs, position, kept(fills), {}),

    async finish(game, rebuild, moderated, events) {
      const keys = [activityKey(game), rebuildKey(game), rebuildStateKey(game), moderatedKey(game)];
      const head = [rebuild.token, rebuild.id, moderated, String(FEED_HARD_CAP), BADGE_GROUP, ""];
      const reply = await redis.call("lb_finish_v2", keys, [...head, ...events.flatMap(eventArgs)]);
      return flatReply(reply)[0] === "opened";
    },

    async removeBoards(game, boards) {
      const keys = boards.flatMap(({ periodBoard: { key }, parts }) => [
        changesKey(game, key),
        ...[undefined, ...parts].map((part) => periodBoardKey(game, key, part)),
      ]);
      for (const some of chunks(keys, REMOVED_AT_ONCE)) await redis.command(["UNLINK", ...some]);
    },

    async removeGame(game, boards) {
      await redis.command(["UNLINK", ...everyKey(game, boards)]);
    },

    async fill(game, moderated, all) {
      const given = kept(all);
      const fills: readonly Fill[] = given.length > 0 ? given : [{ board: ALL_TIME, entries: [], removals: [] }];
      const { keys, args } = fillCall(game, fills, { announce: true });
      const [, , ...leases] = flatReply(await redis.call("lb_fill_v2", keys, [moderated, ...args]));
      return fills.flatMap((fill, i) =>
        leases[i] === "1" && "board" in fill && isLive(fill.board) ? [fill.board.name] : [],
      );
    },
  };
}
