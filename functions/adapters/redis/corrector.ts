/** Makes a player's entries in Redis what Postgres says, lower or gone included: lb_correct_v2. */
import type { Best } from "../../domain/board/ranking.ts";
import { isLive, partOf, type Board } from "../../domain/board/board.ts";
import { isOnRedis } from "../../domain/board/time.ts";
import { chunks } from "../../domain/page.ts";
import { timeBitsOf } from "../../domain/board/packing.ts";
import { entryText, expiryOf, givenTo, isKept, type Part } from "../../domain/board/period-board.ts";
import type { Correction, Corrector } from "../../services/moderation/ports.ts";
import type { RedisClient } from "./client.ts";
import { activityKey, boardKey, changesKey, leaseKey, moderatedKey, periodBoardKey } from "./keys.ts";
import { flatReply, seconds, timesOf } from "./words.ts";

type Corrected = { readonly board: Board; readonly keys: readonly string[]; readonly args: readonly string[] };

const values = (best: Best | undefined) =>
  best ? [String(best.points), seconds(best.achievedAtMs)] : (["", ""] as const);

/** The board and those of its countries, each with the entry that it has to show. */
function partsOf(game: string, { board: whole, best, country, countries }: Correction["boards"][number]): Corrected[] {
  const moderated = moderatedKey(game);
  // A board without a room has no lease: another key stands in, as the library asks.
  const lease = isLive(whole) ? leaseKey(game, whole.name) : moderated;
  const corrected = (board: Board, shown: Best | undefined, mode: string): Corrected => ({
    board,
    keys: [boardKey(game, board), moderated, lease],
    args: [...timesOf(board), ...values(shown), mode],
  });
  return [
    corrected(whole, best, "top"),
    ...countries.map((code) => corrected(partOf(whole, code), code === country ? best : undefined, "")),
  ];
}

/** KEYS and ARGV of lb_set_v3 for boards that the game defined, behind the first ones; no board has a lease. */
function setCall(game: string, defined: Correction["defined"]) {
  const moderated = moderatedKey(game);
  const keys: string[] = [];
  const args: string[] = [];
  const isIn = (parts: readonly Part[], { segment, value }: Part) =>
    parts.some((part) => part.segment === segment && part.value === value);
  for (const { periodBoard, entry, parts, everIn } of defined) {
    const newer = givenTo(periodBoard) === "newer";
    const expiry = expiryOf(periodBoard);
    const others = everIn.filter((part) => !isIn(parts, part));
    for (const part of [undefined, ...parts, ...others]) {
      const key = periodBoardKey(game, periodBoard.key, part);
      const shown = part === undefined || isIn(parts, part) ? entry : undefined;
      keys.push(key, moderated, newer && part === undefined ? changesKey(game, periodBoard.key) : key);
      args.push(
        shown ? entryText(periodBoard, shown) : "",
        String(timeBitsOf(periodBoard.packing.split)),
        newer ? "n" : "r",
        expiry === undefined ? "" : String(Math.ceil(expiry / 1_000)),
        part === undefined ? "top" : "",
      );
    }
  }
  return { keys: [moderated, ...keys], args };
}

/** Boards that the game defined: a player may have played thousands of songs. */
const SET_AT_ONCE = 200;

const later = (a: string, b: string) => (BigInt(a) > BigInt(b) ? a : b);

export function createCorrector(redis: RedisClient, now: () => number): Corrector {
  return {
    async correct(game, correction) {
      const kept = correction.boards.filter(({ board }) => isOnRedis(board, now()));
      const boards = kept.flatMap((board) => partsOf(game, board));
      const keys = [activityKey(game), ...boards.flatMap(({ keys: own }) => own)];
      const args = boards.flatMap(({ args: own }) => own);
      // One call for the boards; the feed is read once more for each further event that has to go.
      const events = correction.forget ? ["forget"] : [...correction.submissions];
      const head = (event: string) => [correction.player, correction.moderated, event];
      const reply = flatReply(await redis.call("lb_correct_v2", keys, [...head(events.shift() ?? ""), ...args]));
      for (const event of events) await redis.call("lb_correct_v2", [activityKey(game)], head(event));
      const pushes = boards.flatMap(({ board }, i) => (isLive(board) && reply[i + 1] === "1" ? [board.name] : []));
      const moderated = reply[boards.length + 1] ?? correction.moderated;
      const defined = correction.defined.filter(({ periodBoard }) => isKept(periodBoard, now()));
      let newest = moderated;
      for (const some of chunks(defined, SET_AT_ONCE)) {
        const call = setCall(game, some);
        const set = flatReply(await redis.call("lb_set_v3", call.keys, [correction.player, newest, ...call.args]));
        newest = later(newest, set.at(-1) ?? newest);
      }
      return { pushes, moderated: newest };
    },
  };
}
