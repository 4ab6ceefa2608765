/**
 * Spares callers the wait for a dependency that does not answer. After a few calls in a row without an answer, further ones
 * fail at once; now and then one call is sent to find out whether it is back. Plain state of one isolate: no request waits for
 * another request's promise (Workers forbid it), so cockatiel's queue of callers during that one call is never entered.
 */
import { circuitBreaker, CircuitState, handleWhen, type CircuitBreakerPolicy, type IBreaker } from "cockatiel";
import { DependencyError, type Dependency } from "../domain/errors.ts";
import { log } from "../log.ts";
import type { Background } from "../services/runtime.ts";

export type BreakerOptions = {
  /** Calls in a row without an answer, and how long ago the first of them was sent: both, since a burst proves little. */
  readonly few: number;
  readonly lastingMs: number;
  /** How long no call is made before one tries again. */
  readonly pauseMs: number;
  /** How long the caller of that one call waits for it; the call itself goes on to its deadline. */
  readonly patienceMs: number;
};

const DEFAULTS: BreakerOptions = { few: 3, lastingMs: 1_000, pauseMs: 500, patienceMs: 100 };
/** Longer than any deadline: the request that tried has ended before its call did, and another one has to try. */
const TRYING_ENDS_MS = 10_000;

/** Whether a failure says that the dependency does not answer. A refusal is an answer, and often one game's own. */
const isSilence = (error: unknown): error is DependencyError =>
  error instanceof DependencyError && (error.kind === "slow" || error.kind === "unreachable");

/**
 * Calls without an answer since the last answer, and when the first of them was sent. One that was sent before the last
 * answer does not count: what answered others later is not silent, it failed at this call.
 */
class InARow implements IBreaker {
  state: unknown = undefined;
  #unanswered = 0;
  #sinceMs = 0;
  #answeredMs = 0;
  readonly #options: BreakerOptions;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  success(): void {
    this.#unanswered = 0;
    this.#answeredMs = Date.now();
  }

  add(sentMs: number): void {
    if (sentMs < this.#answeredMs) return;
    this.#sinceMs = this.#unanswered === 0 ? sentMs : Math.min(this.#sinceMs, sentMs);
    this.#unanswered += 1;
  }

  failure(): boolean {
    return this.#unanswered >= this.#options.few && Date.now() - this.#sinceMs >= this.#options.lastingMs;
  }
}

export class Breaker {
  readonly #dependency: Dependency;
  readonly #options: BreakerOptions;
  readonly #calls: InARow;
  #policy: CircuitBreakerPolicy;
  #givenUp = false;
  #lastSilence = "slow";
  #triedMs = 0;

  constructor(dependency: Dependency, options: Partial<BreakerOptions> = {}) {
    this.#dependency = dependency;
    this.#options = { ...DEFAULTS, ...options };
    this.#calls = new InARow(this.#options);
    this.#policy = this.#makePolicy({});
  }

  /** Whether calls fail at once. */
  get open(): boolean {
    return this.#policy.state !== CircuitState.Closed;
  }

  /** Makes a call whose outcome counts; throws DependencyError `not-asked` while the dependency does not answer. */
  async run<T>(call: () => Promise<T>, background: Background): Promise<T> {
    if (this.#isBeingTried()) throw this.#notAsked();
    const [wasOpen, sentMs] = [this.open, Date.now()];
    let sent = false;
    const calling = this.#policy.execute(() => {
      sent = true;
      return this.#counted(call, sentMs);
    });
    if (!wasOpen) return calling;
    if (!sent) {
      await calling.catch(() => undefined);
      throw this.#notAsked();
    }
    this.#triedMs = sentMs;
    background.run(`try-${this.#dependency}`, async () => void (await calling));
    return Promise.race([calling, this.#patience()]);
  }

  /** Makes a call that counts for nothing: a long one of a job, which may be slow for reasons of its own. */
  async follow<T>(call: () => Promise<T>): Promise<T> {
    if (this.open) throw this.#notAsked();
    return call();
  }

  async #counted<T>(call: () => Promise<T>, sentMs: number): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (isSilence(error)) {
        this.#lastSilence = error.kind;
        this.#calls.add(sentMs);
      } else this.#calls.success();
      throw error;
    }
  }

  #isBeingTried(): boolean {
    if (this.#policy.state !== CircuitState.HalfOpen) return false;
    if (Date.now() - this.#triedMs < TRYING_ENDS_MS) return true;
    this.#policy = this.#makePolicy({ initialState: this.#policy.toJSON() });
    return false;
  }

  async #patience(): Promise<never> {
    await new Promise((resolve) => setTimeout(resolve, this.#options.patienceMs));
    throw new DependencyError(this.#dependency, "slow", "trying");
  }

  readonly #notAsked = () => new DependencyError(this.#dependency, "not-asked", this.#lastSilence);

  #makePolicy(resumed: { readonly initialState?: unknown }): CircuitBreakerPolicy {
    const policy = circuitBreaker(handleWhen(isSilence), {
      breaker: this.#calls,
      halfOpenAfter: this.#options.pauseMs,
      ...resumed,
    });
    const say = (level: "info" | "warn", outcome: string, reason?: string) =>
      log(level, "dependency", { dependency: this.#dependency, outcome, reason });
    policy.onBreak(() => {
      if (!this.#givenUp) say("warn", "given-up", this.#lastSilence);
      this.#givenUp = true;
    });
    policy.onReset(() => {
      this.#givenUp = false;
      say("info", "answers-again");
    });
    return policy;
  }
}
