/** Boards and rooms for the room's tests. */
import type { TopMessage } from "../../functions/contract/live.ts";
import { weekEnd } from "../../functions/domain/board/week.ts";
import { parseRoomId } from "../../party/room-id.ts";
import type { RoomId } from "../../party/room-id.ts";

const WEEK = "2026-W42";
export const NOW = Date.parse("2026-10-14T12:00:00Z");

/** The parts of a room id that is known to be valid. */
export function roomId(id: string): RoomId {
  const room = parseRoomId(id);
  if (!room) throw new Error(`not a room id: ${id}`);
  return room;
}

/** A top 10 from [player, points] pairs in their order. */
export function board(
  version: number,
  players: readonly (readonly [string, number])[],
  { game = "arena", week = WEEK, boardSize = players.length } = {},
): TopMessage {
  return {
    type: "top",
    game,
    week,
    version: String(version),
    boardSize,
    entries: players.map(([player, points], index) => ({
      rank: index + 1,
      competitionRank: index + 1,
      player,
      points,
      achievedAt: "2026-10-13T08:00:00Z",
    })),
    resetsAt: new Date(weekEnd(week)).toISOString(),
  };
}

/** Ten players p1 … p10 with 1000, 990, … points. */
export function fullBoard(version: number): TopMessage {
  return board(
    version,
    Array.from({ length: 10 }, (_, index) => [`p${index + 1}`, 1000 - 10 * index] as const),
    { boardSize: 50 },
  );
}
