/** The breakers of an isolate, and dependencies behind them. */
import { LRUCache } from "lru-cache";
import { DependencyError, type Dependency } from "../domain/errors.ts";
import type { Background } from "../services/runtime.ts";
import type { Rooms } from "../services/live/ports.ts";
import { noteRefusal } from "../services/operations/troubles.ts";
import { Breaker, type BreakerOptions } from "./breaker.ts";

const MOST_ROOMS = 1_000;
/** Its deadline is the longest, and submissions that meet share two calls: two that are silent for so long are enough. */
const POSTGRES = { few: 2 };

export type Breakers = {
  readonly postgres: Breaker;
  readonly redis: Breaker;
  /** Rooms fail one by one: each game's has its own. */
  readonly roomOf: (game: string) => Breaker;
};

/** One of each for an isolate: what one request found out spares the others. */
export function createBreakers(options: Partial<Record<Dependency, Partial<BreakerOptions>>> = {}): Breakers {
  const rooms = new LRUCache<string, Breaker>({ max: MOST_ROOMS });
  return {
    postgres: new Breaker("postgres", { ...POSTGRES, ...options.postgres }),
    redis: new Breaker("redis", options.redis),
    roomOf(game) {
      const known = rooms.get(game) ?? new Breaker("room", options.room);
      rooms.set(game, known);
      return known;
    },
  };
}

async function noticed<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof DependencyError && error.kind === "refused" && !error.expected) noteRefusal(error, Date.now());
    throw error;
  }
}

/** The same client; each call of its methods goes through `through`. */
function wrapped<T extends object>(client: T, through: (call: () => Promise<unknown>) => Promise<unknown>): T {
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) =>
        through(() => noticed(async (): Promise<unknown> => Reflect.apply(member, target, args)));
    },
  });
}

/** The client behind a breaker, for the calls of a request. Every method has to return a promise. */
export const guarded = <T extends object>(client: T, breaker: Breaker, background: Background): T =>
  wrapped(client, (call) => breaker.run(call, background));

/** The client behind a breaker, for pages of jobs: they may be slow for reasons of their own. */
export const following = <T extends object>(client: T, breaker: Breaker): T =>
  wrapped(client, (call) => breaker.follow(call));

export function guardedRooms(rooms: Rooms, { roomOf }: Breakers, background: Background): Rooms {
  const push = (game: string, call: () => Promise<void>) => roomOf(game).run(() => noticed(call), background);
  return {
    pushTop: (message) => push(message.game, () => rooms.pushTop(message)),
    pushBadges: (game, week, badges, shards) => push(game, () => rooms.pushBadges(game, week, badges, shards)),
    check: (game, week, boardSize) => push(game, () => rooms.check(game, week, boardSize)),
  };
}

/** How long a job waits for a dependency that was given up; a player would not. */
const WORTH_WAITING_MS = 3_000;
const ASK_EVERY_MS = 100;

/** Asks until the dependency answers again; gives up after a while. At once when there is nothing to wait for. */
export async function awaitAnswer(breaker: Breaker, ask: () => Promise<unknown>): Promise<void> {
  const endsAt = Date.now() + WORTH_WAITING_MS;
  while (breaker.open && Date.now() < endsAt) {
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    await ask().catch(() => undefined);
  }
}
