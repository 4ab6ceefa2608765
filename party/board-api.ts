/** The board as the API has it: what a room shows when it missed a push. */
import { TopResponse } from "../functions/contract/boards.ts";
import type { RoomEnv } from "./env.ts";
import type { Answer } from "./state.ts";
import type { RoomId } from "./room-id.ts";

const TIMEOUT_MS = 3_000;

/**
 * Reads the top 10 of the room's week. Never throws: a failure is an answer. The push secret says that a room asks: the
 * API's limit by address is for the public, and rooms share addresses.
 */
export async function askApi({ apiUrl, pushSecrets }: RoomEnv, room: RoomId): Promise<Answer> {
  try {
    const url = `${apiUrl}/v1/games/${room.game}/boards/${room.week}/top?n=10`;
    const headers = { authorization: `Bearer ${pushSecrets[0] ?? ""}` };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 404) {
      await response.body?.cancel();
      return { type: "unknown-game" };
    }
    if (!response.ok) {
      await response.body?.cancel();
      return { type: "unavailable" };
    }
    const { version, boardSize, entries } = TopResponse.parse(await response.json());
    const resetsAt = new Date(room.endsAtMs).toISOString();
    return {
      type: "top",
      top: { type: "top", game: room.game, week: room.week, version, boardSize, entries, resetsAt },
    };
  } catch {
    return { type: "unavailable" };
  }
}
