/** From the coordinator to the other shards of a board. */
import type * as Party from "partykit/server";
import type { RoomPush } from "../functions/contract/live.ts";

/** The platform runs six requests of one object at a time. */
const WAVE = 6;
const ATTEMPTS = 2;
/** A shard that does not answer keeps the others waiting no longer than this. */
const DEADLINE_MS = 2_000;
const MOST_WAITING_BADGES = 20;

/**
 * Sends pushes to every shard, one after the other and in waves; of boards that wait, only the newest is sent. A shard
 * that stays out of reach asks the API when a viewer connects or syncs, and gets the next board anyway.
 */
export class Relay {
  readonly #party: Party.Room;
  #top: (() => Promise<void>) | undefined;
  readonly #badges: (() => Promise<void>)[] = [];
  #busy = false;

  constructor(party: Party.Room) {
    this.#party = party;
  }

  async send(push: RoomPush, rooms: readonly string[]): Promise<void> {
    const sending = () => this.#sendAll(JSON.stringify(push), rooms);
    if (push.type === "top") this.#top = sending;
    else if (this.#badges.length < MOST_WAITING_BADGES) this.#badges.push(sending);
    if (this.#busy) return;
    this.#busy = true;
    for (let next = this.#next(); next; next = this.#next()) await next();
    this.#busy = false;
  }

  #next(): (() => Promise<void>) | undefined {
    const top = this.#top;
    this.#top = undefined;
    return top ?? this.#badges.shift();
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
      const response = await inTime(party.context.parties["main"]?.get(room).fetch({ method: "POST", body }));
      await response?.body?.cancel();
      if (response?.ok) return;
    } catch {
      // The next attempt, or the shard's own question to the API, makes up for it.
    }
  }
  console.error(JSON.stringify({ message: "shard did not take the push", room }));
}

/** A request from object to object takes no signal. */
async function inTime<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("late")), DEADLINE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
