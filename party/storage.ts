/** What a room keeps: its board, and its id (which PartyKit does not know in an alarm). */
import type { Storage } from "partykit/server";
import { z } from "zod";
import { MAX_SHARDS, TopMessage } from "../functions/contract/live.ts";
import type { Stored } from "./state.ts";
import { parseRoomId } from "./room-id.ts";
import type { RoomId } from "./room-id.ts";

const BOARD = "board";
const ROOM = "room";

const StoredBoard = z.object({ top: TopMessage, shards: z.int().min(1).max(MAX_SHARDS) });

/** What the room stored, if it ever did. A board of an unknown shape counts as none: the API has it. */
export async function load(storage: Storage): Promise<{ board: Stored | undefined; room: RoomId | undefined }> {
  const values = await storage.get<unknown>([BOARD, ROOM]);
  const id = values.get(ROOM);
  return {
    board: StoredBoard.safeParse(values.get(BOARD)).data,
    room: typeof id === "string" ? parseRoomId(id) : undefined,
  };
}

/** Keeps the board. Messages sent after the call leave the machine only when it is on disk (output gate). */
export function store(storage: Storage, board: Stored): Promise<void> {
  return storage.put(BOARD, board);
}

/** Makes sure that the room wakes up when its week ends, and once more to delete what it stored. */
export async function keepAlarm(storage: Storage, room: RoomId, nowMs: number): Promise<void> {
  if (nowMs >= room.expiresAtMs || (await storage.getAlarm()) !== null) return;
  await storage.put(ROOM, room.id);
  await storage.setAlarm(nowMs < room.endsAtMs ? room.endsAtMs : room.expiresAtMs);
}
