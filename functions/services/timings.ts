/**
 * How long the steps of one request or job took, and why they failed: a step is a dependency, its time the sum of all
 * calls to it.
 */
import { DependencyError, type Dependency } from "../domain/errors.ts";

/** `postgresMs`, `postgresCalls`, …; only steps that were taken. `postgresFailure`: kind and code of the last failed call. */
export type StepFields = Readonly<Record<string, number | string>>;

export type Timings = {
  /** The same client; every call of its methods counts towards the step. */
  timed<T extends object>(step: Dependency, client: T): T;
  /** What was counted since the last lap, for a log line. */
  lap(): StepFields;
  /** Calls of all steps so far that were really sent, those on their way included. */
  calls(): number;
};

const ORDER: readonly Dependency[] = ["postgres", "redis", "room"];

/**
 * `nowMs` may be any clock that only goes up. On Workers it stands still while code runs and moves with I/O, so a step's
 * time is that of its round trips. Steps that ran beside each other both count in full.
 */
export function createTimings(nowMs: () => number): Timings {
  const totals = new Map<Dependency, { ms: number; calls: number; failure?: string }>();
  let calls = 0;

  async function measured(step: Dependency, startedMs: number, call: Promise<unknown>): Promise<unknown> {
    let failure: DependencyError | undefined;
    try {
      return await call;
    } catch (error) {
      if (error instanceof DependencyError) failure = error;
      throw error;
    } finally {
      const total = totals.get(step) ?? { ms: 0, calls: 0 };
      total.ms += nowMs() - startedMs;
      if (failure?.kind === "not-asked") calls -= 1;
      else total.calls += 1;
      if (failure && !failure.expected) total.failure = `${failure.kind} ${failure.code}`;
      totals.set(step, total);
    }
  }

  return {
    calls: () => calls,

    timed(step, client) {
      return new Proxy(client, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== "function") return member;
          return (...args: unknown[]): unknown => {
            const startedMs = nowMs();
            calls += 1;
            const result: unknown = Reflect.apply(member, target, args);
            return result instanceof Promise ? measured(step, startedMs, result) : result;
          };
        },
      });
    },

    lap() {
      const fields = ORDER.flatMap((step) => {
        const total = totals.get(step);
        return total === undefined
          ? []
          : [
              [`${step}Ms`, Math.round(total.ms * 10) / 10],
              [`${step}Calls`, total.calls],
              ...(total.failure === undefined ? [] : [[`${step}Failure`, total.failure]]),
            ];
      });
      totals.clear();
      return Object.fromEntries(fields);
    },
  };
}
