import type { Board } from "../../domain/board/board.ts";

/** The id of a deployment as each of its stores has it. */
export type StoreMarks = {
  ofPostgres(): Promise<string | undefined>;
  /** The id of Postgres, which gets one when it has none. */
  make(): Promise<string>;
  /** Undefined: never marked, flushed, or unreadable. */
  ofRedis(): Promise<string | undefined>;
  put(id: string): Promise<void>;
};

/** What monitoring asks for; each is one statement or command. */
export type Vitals = {
  /** Release of the ranking library that the Worker carries. */
  release(): number;
  /** Release that Redis has; it is loaded when Redis has none. */
  redisRelease(): Promise<number>;
  postgres(): Promise<void>;
  /** Whether this isolate answers without asking the store, because it did not answer lately. */
  givenUp(store: "postgres" | "redis"): boolean;
  /** Of these games: how many have submissions that are not yet known to be on the boards, and how old the oldest is. */
  unverified(games: readonly string[]): Promise<{ readonly games: number; readonly oldestMs: number }>;
  /** How many of these boards of these games outgrew one key of Redis; one command. */
  fullBoards(games: readonly string[], boards: readonly Board[]): Promise<number>;
  /** Whether a bearer token may read metrics. */
  mayReadMetrics(token: string): Promise<boolean>;
};

/** The ports of this wing by the names under which they are handed on. */
export type OperationsPorts = {
  readonly storeMarks: StoreMarks;
  /** The state of the service beyond one game. */
  readonly vitals: Vitals;
};
