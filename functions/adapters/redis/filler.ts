/** Fills boards from Postgres: the rebuild's and the reconciliation's side of lua/src. */
import { FEED_HARD_CAP } from "../../domain/platform-limits.ts";
import { packText } from "../../domain/board/score.ts";
import { isOnRedis } from "../../domain/board/time.ts";
import type { BoardFiller, Fill, Rebuild } from "../../services/healing/ports.ts";
import { ALL_TIME, isLive, isWhole, withParts } from "../../domain/board/board.ts";
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
import { flatReply, timesOf } from "./words.ts";

type Mode = { readonly clear?: boolean; readonly announce?: boolean };

/** KEYS and ARGV of boards to fill, in the order that `parse_fill` of the library reads them. */
function fillCall(game: string, fills: readonly Fill[], mode: Mode) {
  const keys: string[] = [];
  const args: string[] = [];
  for (const { board, entries, removals } of fills) {
    const live = isLive(board);
    keys.push(boardKey(game, board));
    if (live) keys.push(playersKey(game, board.name));
    const announced = mode.announce === true && isWhole(board);
    if (announced) {
      const moderated = moderatedKey(game);
      keys.push(moderated, live ? leaseKey(game, board.name) : moderated);
    }
    args.push(
      ...timesOf(board),
      (mode.clear ? "d" : "") + (live ? "p" : "") + (announced ? "t" : ""),
      String(entries.length),
      String(removals.length),
    );
    for (const entry of entries) args.push(packText(board, entry), entry.player);
    args.push(...removals);
  }
  return { keys, args };
}

export function createBoardFiller(redis: RedisClient, newToken: () => string, now: () => number): BoardFiller {
  const kept = (fills: readonly Fill[]) => fills.filter(({ board }) => isOnRedis(board, now()));

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

    clear(game, rebuild, leaseMs, boards, position) {
      const fills = boards.flatMap(withParts).map((board) => ({ board, entries: [], removals: [] }));
      return page(game, rebuild, leaseMs, position, fills, { clear: true });
    },

    page: (game, rebuild, leaseMs, position, fills) => page(game, rebuild, leaseMs, position, kept(fills), {}),

    async finish(game, rebuild, moderated, events) {
      const keys = [activityKey(game), rebuildKey(game), rebuildStateKey(game), moderatedKey(game)];
      const head = [rebuild.token, rebuild.id, moderated, String(FEED_HARD_CAP), BADGE_GROUP, ""];
      const reply = await redis.call("lb_finish_v2", keys, [...head, ...events.flatMap(eventArgs)]);
      return flatReply(reply)[0] === "opened";
    },

    async removeGame(game, boards) {
      await redis.command(["UNLINK", ...everyKey(game, boards)]);
    },

    async fill(game, moderated, all) {
      const given = kept(all);
      const fills = given.length > 0 ? given : [{ board: ALL_TIME, entries: [], removals: [] }];
      const { keys, args } = fillCall(game, fills, { announce: true });
      const [, , ...leases] = flatReply(await redis.call("lb_fill_v2", keys, [moderated, ...args]));
      return fills.flatMap(({ board }, i) => (leases[i] === "1" && isLive(board) ? [board.name] : []));
    },
  };
}
