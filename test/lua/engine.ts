/**
 * The library's wire contract from the caller's side, written independently of functions/adapters/redis: builds
 * KEYS and ARGV as the headers in lua/src describe them and reads the flat replies.
 */
import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { z } from "zod";
import { filling } from "./filling.ts";
import { keysOf, type Board, type Week } from "./keys.ts";
import { pageOf, type Best, type Entry } from "./page.ts";

export type { Best, Entry } from "./page.ts";

export type FeedEvent = { submission: string; player: string; points: string; rank: string };

export type Item = {
  player: string;
  points: number;
  /** Unix second; `week.start` unless given. */
  at?: number;
  /** '' is a replay. A fresh id unless given. */
  submission?: string;
  week?: Week;
  best?: Best;
  allTime?: Best;
  country?: string;
  left?: readonly string[];
  flags?: string;
};

export const FEED_CAP = 1_000_000;
const strings = z.array(z.string());
const entries = z.array(z.tuple([z.string(), strings]));

export const nowUs = (): number => Date.now() * 1000;

export function engineOf(redis: Redis, options: { game?: string; version?: number } = {}) {
  const game = options.game ?? `g-${randomUUID().slice(0, 18)}`;
  const keys = keysOf(game);

  async function call(
    verb: string,
    keyList: readonly string[],
    args: readonly (string | number)[],
    version: number = options.version ?? 2,
  ): Promise<string[]> {
    const name = `lb_${verb}_v${version}`;
    return strings.parse(await redis.call("FCALL", name, keyList.length, ...keyList, ...args));
  }

  /** KEYS and ARGV of a submit. */
  function submitCall(items: readonly Item[], week: Week, now: number) {
    const weeks = [...new Set(items.map((item) => item.week ?? week))];
    const list = [keys.activity, keys.allTime.key, keys.allTime.key];
    for (const each of weeks) list.push(...keys.ofWeek(each));
    const numberOf = (key: string) => {
      const known = list.indexOf(key);
      return known === -1 ? list.push(key) : known + 1;
    };
    const args: (string | number)[] = [now, FEED_CAP, weeks.length];
    for (const each of weeks) args.push(each.label, each.start, each.expiry);
    for (const item of items) {
      const its = item.week ?? week;
      const at = item.at ?? its.start;
      const best = item.best ?? { points: item.points, at };
      const allTime = item.allTime ?? best;
      const country = item.country === undefined ? 0 : numberOf(keys.country(its, item.country).key);
      const left = (item.left ?? []).map((code) => numberOf(keys.country(its, code).key)).join(",");
      args.push(item.submission ?? randomUUID(), item.player, item.points, at * 1000, weeks.indexOf(its) + 1);
      args.push(best.points, best.at, country, left, allTime.points, allTime.at, item.flags ?? "wa");
    }
    return { keys: list, args, weeks };
  }

  async function submit(items: readonly Item[], week: Week, now = nowUs()) {
    const wire = submitCall(items, week, now);
    const [status, ...rest] = await call("submit", wire.keys, wire.args);
    const weeks = wire.weeks.map((_, i) => {
      const [unused, lease] = rest.slice(i * 2, i * 2 + 2);
      if (unused !== "") throw new Error(`reply of another release: ${rest.join(" ")}`);
      return { lease };
    });
    const ranks = rest.slice(weeks.length * 2);
    const places = items.map((_, i) => {
      const [rank, countryRank, allTimeRank] = ranks.slice(i * 3, i * 3 + 3);
      return { rank, countryRank, allTimeRank };
    });
    const damaged = ranks.length === places.length * 3 + 1 && ranks.at(-1) === "damaged";
    if (ranks.length !== places.length * 3 + (damaged ? 1 : 0))
      throw new Error(`reply of a wrong length: ${rest.join(" ")}`);
    return { status, weeks, places, damaged };
  }

  const eventArgs = (event: FeedEvent, week: Week) => [
    event.submission,
    event.player,
    event.points,
    event.points,
    event.rank,
    week.label,
    week.start * 1000,
  ];

  const read = (board: Board) => [
    keys.activity,
    board.key,
    board.moderated,
    ...(board.ranking === undefined ? [] : [board.ranking]),
  ];

  return {
    game,
    keys,
    call,
    submitCall,
    submit,
    /** Declares the game complete as a rebuild does: with its events, whatever its boards have. */
    async open(events: readonly FeedEvent[] = [], week?: Week) {
      const [token, run] = [randomUUID(), [keys.activity, ...keys.rebuild]];
      await call("begin", run, [token, 60_000]);
      const opening = [...run, keys.moderated];
      const flat = events.flatMap((event) => (week ? eventArgs(event, week) : []));
      return call("finish", opening, [token, token, 1, FEED_CAP, "badges", "", ...flat]);
    },
    feed: (events: readonly FeedEvent[], week: Week) =>
      call("feed", [keys.activity], [FEED_CAP, ...events.flatMap((event) => eventArgs(event, week))]),
    /** Brings bests onto one board, as reconciling does. */
    fill(board: Board, list: readonly Entry[]) {
      const filled = filling(board, board.players === undefined ? "" : "p", list);
      return call("fill", filled.keys, [1, ...filled.args]);
    },
    /** Sets one board to what `best` says, undefined removes. */
    async correct(
      board: Board,
      player: string,
      best: Best | undefined,
      events = "",
      moderated: number | string = nowUs(),
    ) {
      const [status, lease, now] = await call(
        "correct",
        [keys.activity, board.key, board.moderated, board.lease],
        [
          player,
          moderated,
          events,
          board.start,
          board.expiry,
          best?.points ?? "",
          best?.at ?? "",
          board.live ? "top" : "",
        ],
      );
      return { status, lease, moderated: now };
    },
    top: async (board: Board, count = 10, cursor?: Entry) =>
      pageOf(
        await call("top", read(board), [
          board.start,
          count,
          ...(cursor ? [cursor.points, cursor.at, cursor.player] : []),
        ]),
      ),
    around: async (board: Board, player: string, k: number) =>
      pageOf(await call("around", read(board), [board.start, player, k])),
    /** The week for its own board, with which its distinct players are counted. */
    count: (board: Board, week?: Week) =>
      week === undefined
        ? call("count", [keys.activity, board.key], [])
        : call("count", [keys.activity, board.key, board.players ?? "", keys.counted(week)], [week.label, week.expiry]),
    push: async (board: Board) => pageOf(await call("push", [...read(board), board.lease], [board.start])),
    trim: (lastRead: string, length: number) => call("trim", [keys.activity], ["badges", lastRead, length]),
    /** Members and raw scores as Redis prints them, first place first. */
    raw: async (board: Board) => strings.parse(await redis.call("ZRANGE", board.key, 0, -1, "REV", "WITHSCORES")),
    /** The feed, oldest first, as objects of its fields. */
    events: async () =>
      entries
        .parse(await redis.call("XRANGE", keys.activity, "-", "+"))
        .map(([, fields]) =>
          Object.fromEntries(fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1] ?? ""]] : []))),
        ),
  };
}

export type Engine = ReturnType<typeof engineOf>;
