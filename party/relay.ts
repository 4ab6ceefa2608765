/** From the coordinator to the other shards of a board. */
import type * as Party from "partykit/server";
import type { TopMessage } from "../functions/contract/live.ts";

/** The platform runs six requests of one object at a time. */
const WAVE = 6;
const ATTEMPTS = 2;

/**
 * Sends the board to every shard, in waves. A shard that stays out of reach asks the API when somebody connects or
 * syncs, and gets the next board anyway, so a failure ends here.
 */
export async function relay(party: Party.Room, top: TopMessage, rooms: readonly string[]): Promise<void> {
  const body = JSON.stringify(top);
  for (let from = 0; from < rooms.length; from += WAVE) {
    await Promise.all(rooms.slice(from, from + WAVE).map((room) => push(party, room, body)));
  }
}

async function push(party: Party.Room, room: string, body: string): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      const response = await party.context.parties["main"]?.get(room).fetch({ method: "POST", body });
      await response?.body?.cancel();
      if (response?.ok) return;
    } catch {
      // The next attempt, or the shard's own question to the API, makes up for it.
    }
  }
  console.error(JSON.stringify({ message: "shard did not take the board", room }));
}
