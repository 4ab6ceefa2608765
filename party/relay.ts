/** From the coordinator to the other shards of a board. */
import type * as Party from "partykit/server";
import type { TopMessage } from "../functions/contract/live.ts";

/** The platform runs six requests of one object at a time. */
const WAVE = 6;
const ATTEMPTS = 2;

/**
 * Sends boards to every shard, one after the other and in waves; of those that wait, only the newest is sent. A shard
 * that stays out of reach asks the API when somebody connects or syncs, and gets the next board anyway.
 */
export class Relay {
  readonly #party: Party.Room;
  #waiting: (() => Promise<void>) | undefined;
  #busy = false;

  constructor(party: Party.Room) {
    this.#party = party;
  }

  async send(top: TopMessage, rooms: readonly string[]): Promise<void> {
    this.#waiting = () => this.#sendAll(JSON.stringify(top), rooms);
    if (this.#busy) return;
    this.#busy = true;
    while (this.#waiting) {
      const next = this.#waiting;
      this.#waiting = undefined;
      await next();
    }
    this.#busy = false;
  }

  async #sendAll(body: string, rooms: readonly string[]): Promise<void> {
    for (let from = 0; from < rooms.length; from += WAVE) {
      await Promise.all(rooms.slice(from, from + WAVE).map((room) => push(this.#party, room, body)));
    }
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
