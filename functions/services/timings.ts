/** How long the steps of one request or job took: a step is a dependency, its time the sum of all calls to it. */

export type Step = "postgres" | "redis" | "room";

/** `postgresMs`, `postgresCalls`, …; only steps that were taken. */
export type StepFields = Readonly<Record<string, number>>;

export type Timings = {
  /** The same client; every call of its methods counts towards the step. */
  timed<T extends object>(step: Step, client: T): T;
  /** What was counted since the last lap, for a log line. */
  lap(): StepFields;
};

const ORDER: readonly Step[] = ["postgres", "redis", "room"];

/**
 * `nowMs` may be any clock that only goes up. On Workers it stands still while code runs and moves with I/O, so a step's
 * time is that of its round trips. Steps that ran beside each other both count in full.
 */
export function createTimings(nowMs: () => number): Timings {
  const totals = new Map<Step, { ms: number; calls: number }>();

  function add(step: Step, startedMs: number): void {
    const before = totals.get(step) ?? { ms: 0, calls: 0 };
    totals.set(step, { ms: before.ms + nowMs() - startedMs, calls: before.calls + 1 });
  }

  return {
    timed(step, client) {
      return new Proxy(client, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== "function") return member;
          return (...args: unknown[]): unknown => {
            const startedMs = nowMs();
            const result: unknown = Reflect.apply(member, target, args);
            return result instanceof Promise ? result.finally(() => add(step, startedMs)) : result;
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
            ];
      });
      totals.clear();
      return Object.fromEntries(fields);
    },
  };
}
