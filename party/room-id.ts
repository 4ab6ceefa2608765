/** Room ids: `<game>_<week>`, with `_s<k>` for the shards beside the coordinator. */
import { MAX_SHARDS, roomOf } from "../functions/contract/live.ts";
import { Game } from "../functions/contract/primitives.ts";
import { parseBoard, type Period } from "../functions/domain/board/board.ts";
import { nextBoard } from "../functions/domain/board/time.ts";

/** With the times of its board: the room's storage is kept as long as the board is. */
export type RoomId = Period & {
  readonly id: string;
  readonly game: string;
  readonly week: string;
  /** 0 is the coordinator, which has viewers of its own. */
  readonly shard: number;
  /** Room of the week after. */
  readonly next: string;
};

const PATTERN = /^([a-z0-9-]+)_([^_]+)(?:_s([1-9]\d?))?$/;

/** The parts of a room id, or undefined for a text that names no room. */
export function parseRoomId(id: string): RoomId | undefined {
  const [, game = "", week = "", digits] = PATTERN.exec(id) ?? [];
  const shard = digits === undefined ? 0 : Number(digits);
  const board = parseBoard(week);
  const next = board && nextBoard(board);
  if (!Game.safeParse(game).success || !board?.period || !next || shard >= MAX_SHARDS) return undefined;
  return {
    id,
    game,
    week,
    shard,
    ...board.period,
    next: roomOf(game, next.name, shard === 0 ? undefined : shard),
  };
}

/** Clients move on to the next week's room when their week ends; clocks differ a little. */
const EARLY_MS = 300_000;

/** Whether there can be something to say or to see in the room: from a little before its week on, as long as it is kept. */
export const mayBeLive = ({ startsAtMs, expiresAtMs }: RoomId, nowMs: number): boolean =>
  nowMs >= startsAtMs - EARLY_MS && nowMs < expiresAtMs;

/** Ids of the rooms that the coordinator relays to. */
export function shardRooms(room: RoomId, shards: number): string[] {
  if (room.shard !== 0) return [];
  return Array.from({ length: shards - 1 }, (_, index) => roomOf(room.game, room.week, index + 1));
}
