/** What Redis holds of a game, for a comparison with Postgres: lb_inspect_v2 and lb_condemn_v2. */
import { isLive, parseLabel } from "../../domain/board/board.ts";
import { isPeriodLabel } from "../../domain/board/period-board.ts";
import { boardsAt } from "../../domain/board/time.ts";
import type { Asked, Held, HeldBoard, Inspector } from "../../services/healing/inspection-ports.ts";
import type { RedisClient } from "./client.ts";
import {
  activityKey,
  boardKey,
  countedKey,
  leaseKey,
  moderatedKey,
  periodBoardKey,
  playersKey,
  rebuildKey,
  rebuildStateKey,
} from "./keys.ts";
import { flatReply, unreadable } from "./words.ts";

/** Newest feed entries that are read: events of submissions that came at once are in no certain order. */
const NEWEST = 20;

function call(game: string, asked: Asked, upkeep: boolean) {
  const keys = [activityKey(game), moderatedKey(game)];
  const args = [String(NEWEST)];
  for (const [name, players] of asked) {
    const board = isPeriodLabel(name) ? undefined : parseLabel(name);
    keys.push(board ? boardKey(game, board) : periodBoardKey(game, name));
    const whole = board !== undefined && upkeep && isLive(board);
    if (whole) keys.push(leaseKey(game, board.name), playersKey(game, board.name), countedKey(game, board.name));
    args.push(whole ? "u" : "", String(players.length), ...players);
  }
  return { keys, args };
}

function parseHeld(reply: unknown, asked: Asked): Held | "missing" | "damaged" {
  const [status = "", moderated = "0", events = "0", ...rest] = flatReply(reply);
  if (status === "missing" || status === "damaged") return status;
  if (status !== "ok") throw unreadable();
  const values = rest.slice(Number(events)).values();
  const next = () => {
    const { value } = values.next();
    if (value === undefined) throw unreadable();
    return value;
  };
  const boards = new Map<string, HeldBoard>();
  for (const [name, players] of asked) {
    const [size, estimate] = [next(), next()];
    // Closed by the library, since one key does not hold its players: there is nothing to compare.
    if (size === "full") continue;
    const scores = players.map((player) => {
      const score = next();
      return [player, score === "" ? undefined : Number(score)] as const;
    });
    boards.set(name, {
      size: Number(size),
      estimate: estimate === "" ? undefined : Number(estimate),
      scores: new Map(scores),
    });
  }
  return { boards, moderated, events: rest.slice(0, Number(events)) };
}

export function createInspector(redis: RedisClient, now: () => number): Inspector {
  return {
    async inspect(game, asked, upkeep) {
      const { keys, args } = call(game, asked, upkeep);
      return parseHeld(await redis.call("lb_inspect_v2", keys, args), asked);
    },

    async condemn(game) {
      const live = boardsAt(now()).filter(isLive);
      const may = live.flatMap(({ name }) => [leaseKey(game, name), countedKey(game, name)]);
      const keys = [activityKey(game), rebuildKey(game), rebuildStateKey(game), ...may, moderatedKey(game)];
      await redis.call("lb_condemn_v2", keys, []);
    },
  };
}
