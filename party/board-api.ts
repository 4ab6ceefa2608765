/** The board as the API has it: what a room shows when it missed a push. */
import { z } from "zod";
import { TopMessage } from "../functions/contract/live.ts";
import { PROBLEM_TYPE_PREFIX } from "../functions/contract/problem.ts";
import type { RoomEnv } from "./env.ts";
import type { Answer } from "./state.ts";
import type { RoomId } from "./room-id.ts";

const TIMEOUT_MS = 3_000;
/** What a room takes of the answer, so that a Worker of another release may have more or less beside it. */
const Top = TopMessage.pick({ version: true, boardSize: true, entries: true });
const UnknownGame = z.object({ type: z.literal(`${PROBLEM_TYPE_PREFIX}unknown-game`) });

/**
 * Reads the top 10 of the room's week. Never throws: a failure is an answer. The push secret says that a room asks: the
 * API's limit by address is for the public, and rooms share addresses.
 */
export async function askApi({ apiUrl, pushSecrets }: RoomEnv, room: RoomId): Promise<Answer> {
  try {
    const url = `${apiUrl}/v1/games/${room.game}/boards/${room.week}/top?n=10`;
    const headers = { authorization: `Bearer ${pushSecrets[0] ?? ""}` };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body: unknown = await response.json();
    // Something in between may have a 404 of its own.
    if (response.status === 404 && UnknownGame.safeParse(body).success) return { type: "unknown-game" };
    if (!response.ok) return { type: "unavailable" };
    const { version, boardSize, entries } = Top.parse(body);
    const resetsAt = new Date(room.endsAtMs).toISOString();
    return {
      type: "top",
      top: { type: "top", game: room.game, week: room.week, version, boardSize, entries, resetsAt },
    };
  } catch {
    return { type: "unavailable" };
  }
}
