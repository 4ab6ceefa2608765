/** Room ids: `<game>_<week>`, with `_s<k>` for the shards beside the coordinator. */
import { MAX_SHARDS, roomOf } from "../functions/contract/live.ts";
import { Game } from "../functions/contract/primitives.ts";
import { nextWeek, WEEK_MS, weekEnd, weekExpiry, weekStart } from "../functions/domain/board/week.ts";

export type RoomId = {
  readonly id: string;
  readonly game: string;
  readonly week: string;
  /** 0 is the coordinator, which has viewers of its own. */
  readonly shard: number;
  readonly endsAtMs: number;
  /** From here on nobody keeps the room's storage. */
  readonly expiresAtMs: number;
  /** Room of the week after. */
  readonly next: string;
};

const PATTERN = /^([a-z0-9-]+)_(\d{4}-W\d{2})(?:_s([1-9]\d?))?$/;

/** The parts of a room id, or undefined for a text that names no room. */
export function parseRoomId(id: string): RoomId | undefined {
  const [, game = "", week = "", digits] = PATTERN.exec(id) ?? [];
  const shard = digits === undefined ? 0 : Number(digits);
  if (!Game.safeParse(game).success || weekStart(week) === undefined || shard >= MAX_SHARDS) return undefined;
  if (weekStart(nextWeek(week)) === undefined) return undefined;
  return {
    id,
    game,
    week,
    shard,
    endsAtMs: weekEnd(week),
    expiresAtMs: weekExpiry(week),
    next: roomOf(game, nextWeek(week), shard === 0 ? undefined : shard),
  };
}

/** Clients move on to the next week's room when their week ends; clocks differ a little. */
const EARLY_MS = 300_000;

/** Whether somebody can have something to say or to see in the room: from a little before its week on, as long as it is kept. */
export function mayBeLive(room: RoomId, nowMs: number): boolean {
  const startsAtMs = room.endsAtMs - WEEK_MS;
  return nowMs >= startsAtMs - EARLY_MS && nowMs < room.expiresAtMs;
}

/** Ids of the rooms that the coordinator relays to. */
export function shardRooms(room: RoomId, shards: number): string[] {
  if (room.shard !== 0) return [];
  return Array.from({ length: shards - 1 }, (_, index) => roomOf(room.game, room.week, index + 1));
}
