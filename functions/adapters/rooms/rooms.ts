/** Pushes to PartyKit rooms. A failed push is never worth a failed request: the next one brings the whole state. */
import { roomOf, type RoomPush } from "../../contract/live.ts";
import { DependencyError } from "../../domain/errors.ts";
import type { Rooms } from "../../services/live/ports.ts";

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
      const { ok, status } = response;
      if (!ok) throw new DependencyError("room", status < 500 ? "refused" : "unreachable", `status_${status}`);
    } catch (error) {
      if (error instanceof DependencyError) throw error;
      throw error instanceof Error && error.name === "TimeoutError"
        ? new DependencyError("room", "slow", "deadline")
        : new DependencyError("room", "unreachable", "connection");
    }
  }

  return {
    pushTop: (message) => push(roomOf(message.game, message.week), message),
    pushBadges: (game, week, badges, shards) =>
      push(roomOf(game, week), { type: "badges", badges: [...badges], ...(shards === 1 ? {} : { shards }) }),
    check: (game, week, boardSize) =>
      push(roomOf(game, week), { type: "check", ...(boardSize === undefined ? {} : { boardSize }) }),
  };
}
