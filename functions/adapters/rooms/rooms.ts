/** Pushes to PartyKit rooms. A failed push is never worth a failed request: the next one brings the whole state. */
import { roomOf, type RoomPush } from "../../contract/live.ts";
import { DependencyError } from "../../domain/errors.ts";
import type { Rooms } from "../../services/ports.ts";

export type RoomOptions = { readonly url: string; readonly secret: string; readonly deadlineMs: number };

export function createRooms(options: RoomOptions): Rooms {
  async function push(room: string, message: RoomPush): Promise<void> {
    try {
      const response = await fetch(`${options.url}/parties/main/${room}`, {
        method: "POST",
        headers: { authorization: `Bearer ${options.secret}`, "content-type": "application/json" },
        body: JSON.stringify(message),
        signal: AbortSignal.timeout(options.deadlineMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new DependencyError("room", `status ${response.status}`);
    } catch (error) {
      if (error instanceof DependencyError) throw error;
      throw new DependencyError("room", "no answer");
    }
  }

  return {
    pushTop: (message) => push(roomOf(message.game, message.week), message),
    pushBadges: (game, week, badges) => push(roomOf(game, week), { type: "badges", badges: [...badges] }),
  };
}
