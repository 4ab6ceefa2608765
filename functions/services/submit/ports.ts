import type { FeedEvent } from "../../contract/feed.ts";
import type { Caller } from "../access/callers.ts";
import type { Best } from "../../domain/board/ranking.ts";
import type { BoardPage, LiveReader } from "../boards/ports.ts";

/** One submission on its way in; `at` only for backdated ones. */
export type NewSubmission = {
  readonly player: string;
  readonly points: number;
  readonly country: string | undefined;
  readonly at: string | undefined;
  readonly idempotencyKey: string;
  /** What the client asked for, to tell a retry from another use of the key. */
  readonly request: string;
};

/** A player's entry on a board after a write, and what it was before. */
export type BestChange = {
  readonly best: Best;
  readonly previous: Best | undefined;
  readonly raised: boolean;
  /** The submission that set the best. */
  readonly submissionId: string;
};

/** A submission that Postgres holds, with the player's current bests. */
export type RecordedSubmission = {
  readonly submissionId: string;
  readonly player: string;
  readonly points: number;
  readonly submittedAtMs: number;
  readonly week: string;
  readonly country: string | undefined;
  /** Countries the player left this week. */
  readonly leftCountries: readonly string[];
  readonly replayed: boolean;
  /** Milliseconds since it was first received, by the database's clock. */
  readonly ageMs: number;
  /** The database's clock, microseconds. */
  readonly nowUs: string;
  readonly thisWeek: BestChange;
  readonly allTime: BestChange;
  /** Players on the week's board, this one among them; 0 when it is not known. */
  readonly boardSize: number;
  /** Redis is not yet proven to hold these bests: write them again. */
  readonly unverified: boolean;
};

/** A submission that waits for review: durable, and on no board. */
export type HeldSubmission = Pick<
  RecordedSubmission,
  "submissionId" | "player" | "points" | "submittedAtMs" | "week" | "country" | "replayed"
> & {
  /** The player's bests without it; undefined when there are none. */
  readonly bestOfWeek: number | undefined;
  readonly bestOfAllTime: number | undefined;
};

export type RecordOutcome =
  | { readonly outcome: "recorded"; readonly submission: RecordedSubmission }
  | { readonly outcome: "held"; readonly submission: HeldSubmission }
  | { readonly outcome: "limited"; readonly retryAfterSeconds: number }
  | { readonly outcome: "conflict" | "too-many-points" | "banned" | "deleted" | "removed" | "unsigned" };

/** Who submits, as far as the game's rules ask for it. */
export type Origin = {
  readonly caller: Caller["kind"];
  /** Number of the secret that the request was verified with; undefined when it is not signed. */
  readonly signingKey: number | undefined;
};

export type SubmissionStore = {
  /** One statement; outcomes in the order of the input, undefined when the game does not exist. */
  record(game: string, submissions: readonly NewSubmission[], origin: Origin): Promise<RecordOutcome[] | undefined>;
};

/** Undefined for the place on a board that is full: one key of Redis does not hold its players. */
export type Standing = {
  readonly rank: number | undefined;
  readonly countryRank: number | undefined;
  readonly allTimeRank: number | undefined;
};

export type Applied = {
  /**
   * In the order of the submissions, undefined for those of weeks that Redis keeps no longer: nothing of them is written.
   * Undefined in place of all when Redis does not have the whole game.
   */
  readonly standings: readonly (Standing | undefined)[] | undefined;
  /** Weeks whose top 10 this call changed and whose push lease it holds. */
  readonly pushes: readonly string[];
  /** A board lacked an entry that was proven to be there. */
  readonly damaged: boolean;
};

export type Ranking = LiveReader & {
  /** One FCALL; everything but the feed event is idempotent, and replays add none. */
  apply(game: string, submissions: readonly RecordedSubmission[]): Promise<Applied>;
  /** Adds the feed events that the feed lacks; number added. */
  ensureEvents(game: string, events: readonly FeedEvent[]): Promise<number>;
  /** Ends the push lease and reads the newest top 10; undefined when Redis does not have it. */
  takePush(game: string, week: string): Promise<BoardPage | undefined>;
  /** Whether Redis has the game; one command. */
  has(game: string): Promise<boolean>;
};

/** The ports of this wing by the names under which they are handed on. */
export type SubmitPorts = {
  readonly submissions: SubmissionStore;
  readonly ranking: Ranking;
};
