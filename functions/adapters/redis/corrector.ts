/** Makes a player's entries in Redis what Postgres says, lower or gone included: lb_correct_v2. */
import type { Best } from "../../domain/board/ranking.ts";
import { isKept, startOf, weekExpiry } from "../../domain/board/week.ts";
import type { BoardRef } from "../../domain/board/board.ts";
import type { Correction, Corrector } from "../../services/moderation/ports.ts";
import type { RedisClient } from "./client.ts";
import { activityKey, allTimeKey, boardKey, leaseKey, moderatedKey } from "./keys.ts";
import { flatReply, seconds } from "./words.ts";

type Board = { readonly keys: readonly string[]; readonly args: readonly string[]; readonly week: string | undefined };

const values = (best: Best | undefined) =>
  best ? [String(best.points), seconds(best.achievedAtMs)] : (["", ""] as const);

function allTimeBoard(game: string, best: Best | undefined): Board {
  const moderated = moderatedKey(game);
  // The all-time board has no room, hence no lease: another key stands in, as the library asks.
  return { keys: [allTimeKey(game), moderated, moderated], args: ["", "", ...values(best), "top"], week: undefined };
}

function weekBoards(game: string, { week, best, country, countries }: Correction["weeks"][number]): Board[] {
  const times = [seconds(startOf(week)), seconds(weekExpiry(week))];
  const board = (ref: BoardRef, shown: Best | undefined, live: string, leased: string | undefined): Board => ({
    keys: [boardKey(game, ref), moderatedKey(game), leaseKey(game, week)],
    args: [...times, ...values(shown), live],
    week: leased,
  });
  const whole: BoardRef = { kind: "week", week, country: undefined };
  return [
    board(whole, best, "top", week),
    ...countries.map((code) =>
      board({ kind: "week", week, country: code }, code === country ? best : undefined, "", undefined),
    ),
  ];
}

export function createCorrector(redis: RedisClient, now: () => number): Corrector {
  return {
    async correct(game, correction) {
      const weeks = correction.weeks.filter(({ week }) => isKept(week, now()));
      const boards = [allTimeBoard(game, correction.allTime), ...weeks.flatMap((week) => weekBoards(game, week))];
      const keys = [activityKey(game), ...boards.flatMap((board) => board.keys)];
      const args = boards.flatMap((board) => board.args);
      // One call for the boards; the feed is read once more for each further event that has to go.
      const events = correction.forget ? ["forget"] : [...correction.submissions];
      const head = (event: string) => [correction.player, correction.moderated, event];
      const reply = flatReply.parse(await redis.call("lb_correct_v2", keys, [...head(events.shift() ?? ""), ...args]));
      for (const event of events) await redis.call("lb_correct_v2", [activityKey(game)], head(event));
      const pushes = boards.flatMap(({ week }, i) => (week !== undefined && reply[i + 1] === "1" ? [week] : []));
      return { pushes, moderated: reply[boards.length + 1] ?? correction.moderated };
    },
  };
}
