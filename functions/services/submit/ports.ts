import type { FeedEvent } from "../../contract/feed.ts";
import type { ScoreRequest } from "../../contract/scores.ts";
import type { CompiledBoard } from "../../domain/board/compiled.ts";
import type { RawEntry } from "../../domain/board/board.ts";
import type { Part, PeriodBoard } from "../../domain/board/period-board.ts";
import type { Caller } from "../access/callers.ts";
import type { Best } from "../../domain/board/ranking.ts";
import type { BoardPage, LiveReader } from "../boards/ports.ts";

/** What a submission brings to a board that its game defined. */
export type Brought = {
  readonly board: CompiledBoard;
  /** Its key: `laps.2026-10-14`; without a period the name, with the level or song that the submission names. */
  readonly key: string;
  /** Undefined when the board has none at the submission's time. */
  readonly period: string | undefined;
  /** A strength, or what is added to the strength of a total. */
  readonly brings: number;
  /** Parts of the board that the submission names: `{ country: "DE" }`. */
  readonly parts: Readonly<Record<string, string>> | undefined;
};

/** One submission on its way in; `at` only for backdated ones. */
export type NewSubmission = {
  readonly player: string;
  /** Undefined: the default boards do not see it. */
  readonly points: number | undefined;
  readonly values: ScoreRequest["values"];
  readonly keys: ScoreRequest["keys"];
  readonly segments: ScoreRequest["segments"];
  readonly metadata: ScoreRequest["metadata"];
  readonly brought: readonly Brought[];
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

/** How a submission stands on a board that its game defined. Instants are unix milliseconds. */
export type EntryChange = {
  /** The board's key, as Brought has it. */
  readonly key: string;
  /** Why it does not count; undefined when it does. */
  readonly reason: "no-period" | "period-final" | "total-out-of-range" | undefined;
  /** What the player holds; undefined when that is nothing. */
  readonly strength: number | undefined;
  /** When that was reached, cut to the unit of the period. */
  readonly atMs: number | undefined;
  /** What the player held before; undefined when that was nothing, and for a replay. */
  readonly previous: number | undefined;
  readonly changed: boolean;
  /** Redis is known to hold the entry. */
  readonly proven: boolean;
  /** Parts of the board that the player is in, and those that they left. */
  readonly parts: readonly Part[];
  readonly leftParts: readonly Part[];
  readonly boardSize: number;
  /** Undefined: the board has none now. */
  readonly period: { readonly startsAtMs: number; readonly endsAtMs: number; readonly unitMs: number } | undefined;
};

/** What Redis gets of a player on a board that the game defined: what Postgres holds, so a call may come late or twice. */
export type RankedEntry = {
  readonly board: PeriodBoard;
  readonly entry: RawEntry;
  readonly parts: readonly Part[];
  readonly leftParts: readonly Part[];
  /** False: Redis is known to hold it. */
  readonly writes: boolean;
};

/** Where Redis ranked an entry; undefined where that was not asked for, or the board is full. */
export type EntryPlace = {
  readonly rank: number | undefined;
  /** By `<segment>=<value>`. */
  readonly parts: ReadonlyMap<string, number>;
};

/** A submission that the default boards do not see. */
export type ValuesSubmission = Pick<
  RecordedSubmission,
  "submissionId" | "player" | "submittedAtMs" | "week" | "country" | "replayed" | "entries"
>;

/** A submission that Postgres holds, with the player's current bests. */
export type RecordedSubmission = {
  readonly submissionId: string;
  readonly player: string;
  readonly points: number;
  /** On the boards that the game defined; undefined when it defined none. */
  readonly entries?: readonly EntryChange[] | undefined;
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
  "submissionId" | "player" | "points" | "submittedAtMs" | "week" | "country" | "replayed" | "entries"
> & {
  /** The player's bests without it; undefined when there are none. */
  readonly bestOfWeek: number | undefined;
  readonly bestOfAllTime: number | undefined;
};

export type RecordOutcome =
  | { readonly outcome: "recorded"; readonly submission: RecordedSubmission }
  | { readonly outcome: "values-recorded"; readonly submission: ValuesSubmission }
  | { readonly outcome: "held"; readonly submission: HeldSubmission }
  | { readonly outcome: "limited"; readonly retryAfterSeconds: number }
  | { readonly outcome: "conflict" | "too-many-points" | "banned" | "deleted" | "removed" | "unsigned" };

/** Who submits, as far as the game's rules ask for it. */
export type Origin = {
  readonly caller: Caller["kind"];
  /** Number of the secret that the request was verified with; undefined when it is not signed. */
  readonly signingKey: number | undefined;
  /** Whether a total that would leave its board's bounds refuses the whole submission. */
  readonly strict: boolean;
};

/** The boards that a game defined, at a revision; undefined: it never defined any. */
export type KnownBoards = { readonly revision: number | undefined; readonly boards: readonly CompiledBoard[] };

export type Recording =
  | { readonly kind: "recorded"; readonly outcomes: readonly RecordOutcome[] }
  /** Nothing was written: what is brought was computed from other boards than the game has. */
  | { readonly kind: "other-boards"; readonly known: KnownBoards }
  /** Nothing was written: at this time, by the database's clock, there are other periods, or rows of theirs are missing. */
  | { readonly kind: "other-periods"; readonly nowMs: number };

export type SubmissionStore = {
  /**
   * One statement; outcomes in the order of the input, undefined when the game does not exist. `revision`: of the boards by which
   * what is brought was computed.
   */
  record(
    game: string,
    submissions: readonly NewSubmission[],
    origin: Origin,
    revision: number | undefined,
  ): Promise<Recording | undefined>;
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
  /** In the order of the entries; undefined when Redis does not have the whole game. */
  readonly places: readonly EntryPlace[] | undefined;
  /** Weeks whose top 10 this call changed and whose push lease it holds. */
  readonly pushes: readonly string[];
  /** A board lacked an entry that was proven to be there. */
  readonly damaged: boolean;
};

export type Ranking = LiveReader & {
  /** One FCALL; everything but the feed event is idempotent, and replays add none. */
  apply(game: string, submissions: readonly RecordedSubmission[], entries: readonly RankedEntry[]): Promise<Applied>;
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
