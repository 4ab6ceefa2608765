export type Clock = { now(): number };

/** Requests that this run of the Worker may still send. */
export type Subrequests = { left(): number };

/** Work that goes on after the response (waitUntil). */
export type Background = {
  run(name: string, work: () => Promise<void>): void;
  /** Keeps work that never fails alive after the response, without a line in the log. */
  keep(work: Promise<void>): void;
};

/** Part of what every request and job has, beside the ports of the wings. */
export type Runtime = {
  readonly clock: Clock;
  readonly subrequests: Subrequests;
  readonly background: Background;
  readonly sleep: (ms: number) => Promise<void>;
};
