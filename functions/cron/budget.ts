/** What a tick may still use, time and subrequests, and a fair share of it for each game. */
import type { Deps } from "../deps-type.ts";
import { createTimings } from "../services/timings.ts";

/**
 * What a game may still send when its share is used up, since a step that was begun is finished: about twenty requests, and four of a look. A
 * load of the library, three, is among them.
 */
const GAME_NEEDS = 24;
/** What a job in the background sends: a push to the room, tried three times, with what is read for it. */
const PUSH_NEEDS = 5;
/** What the tick itself sends at its end: the last games out of the list, and where to go on. */
const CLOSING = 4;

export class Budget {
  readonly #deps: Deps;
  readonly #deadlineMs: number;
  readonly #atOnce: number;
  /** Kept for games and jobs in the background that have begun. */
  #promised = 0;

  constructor(deps: Deps, deadlineMs: number, atOnce: number) {
    this.#deps = deps;
    this.#deadlineMs = deadlineMs;
    this.#atOnce = atOnce;
  }

  /** True when another game can be looked after to its end. */
  allowsAnother(): boolean {
    return this.#deps.clock.now() < this.#deadlineMs && this.#free() >= GAME_NEEDS;
  }

  /** Runs `work` with a share that leaves as much to each of the other games that wait. */
  async share<T>(gamesLeft: number, work: (deps: Deps, deadlineMs: number) => Promise<T>): Promise<T> {
    const now = this.#deps.clock.now();
    const untilMs = now + Math.max(0, this.#deadlineMs - now) / Math.ceil(gamesLeft / this.#atOnce);
    const allowed = Math.max(GAME_NEEDS, Math.floor(this.#free() / gamesLeft));
    this.#promised += GAME_NEEDS;
    try {
      return await work(this.#limited(allowed), untilMs);
    } finally {
      this.#promised -= GAME_NEEDS;
    }
  }

  #free(): number {
    return this.#deps.subrequests.left() - CLOSING - this.#promised;
  }

  /** The same dependencies, of which a game may make so many calls; each sends about one request. */
  #limited(allowed: number): Deps {
    const deps = this.#deps;
    const { calls, timed } = createTimings(deps.clock.now);
    return {
      ...deps,
      active: timed("redis", deps.active),
      queue: timed("redis", deps.queue),
      filler: timed("redis", deps.filler),
      inspector: timed("redis", deps.inspector),
      ranking: timed("redis", deps.ranking),
      corrector: timed("redis", deps.corrector),
      badges: timed("postgres", deps.badges),
      bests: timed("postgres", deps.bests),
      facts: timed("postgres", deps.facts),
      reconciliations: timed("postgres", deps.reconciliations),
      moderation: timed("postgres", deps.moderation),
      correctionPages: timed("postgres", deps.correctionPages),
      games: timed("postgres", deps.games),
      subrequests: { left: () => Math.min(allowed - calls(), this.#free()) },
      background: { ...deps.background, run: (name, work) => this.#inBackground(name, work) },
    };
  }

  #inBackground(name: string, work: () => Promise<void>): void {
    this.#promised += PUSH_NEEDS;
    this.#deps.background.run(name, () =>
      work().finally(() => {
        this.#promised -= PUSH_NEEDS;
      }),
    );
  }
}
