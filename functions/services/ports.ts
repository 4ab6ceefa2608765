/** What the services need from the outside, in their own words. Adapters implement these; nothing here knows an SDK. */
import type { Badge } from "../contract/players.ts";
import type { FeedEvent } from "../contract/feed.ts";
import type { GameConfig } from "../contract/games.ts";
import type { TopMessage } from "../contract/live.ts";
import type { Authenticated, Caller } from "./callers.ts";
import type { Corrector, ModerationStore, PlayerFiles } from "./moderation-ports.ts";
import type { Signatures } from "./signing.ts";
import type { Timings } from "./timings.ts";
import type { Best } from "../domain/ranking.ts";

/** A week's board, its board of one country, or the all-time board. */
export type BoardRef =
  | { readonly kind: "week"; readonly week: string; readonly country: string | undefined }
  | { readonly kind: "all-time" };

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

export type RawEntry = { readonly player: string; readonly points: number; readonly achievedAtMs: number };

/** A stretch of a board: consecutive entries with the places of the first one. */
export type BoardPage = {
  readonly boardSize: number;
  readonly version: string;
  readonly firstRank: number;
  readonly firstCompetitionRank: number;
  readonly entries: readonly RawEntry[];
};

/** Position in a board's order: the page goes on right below it. */
export type Cursor = RawEntry;

export type BoardReader = {
  top(game: string, board: BoardRef, n: number, cursor: Cursor | undefined): Promise<BoardPage>;
  /** Undefined when the player is not on the board. */
  around(game: string, board: BoardRef, player: string, k: number): Promise<BoardPage | undefined>;
  count(game: string, board: BoardRef): Promise<{ estimate: number; ranked: number }>;
  feed(game: string, n: number, before: string | undefined): Promise<{ events: FeedEvent[]; next: string | null }>;
};

/** `undefined` from a read means that Redis does not have the game (new, wiped or being rebuilt). */
export type LiveReader = {
  [K in keyof BoardReader]: (
    ...args: Parameters<BoardReader[K]>
  ) => Promise<{ readonly found: Awaited<ReturnType<BoardReader[K]>> } | undefined>;
};

export type Standing = {
  readonly rank: number;
  readonly countryRank: number | undefined;
  readonly allTimeRank: number;
};

export type Applied = {
  /**
   * In the order of the submissions, undefined for those of weeks that Redis keeps no longer: nothing of them is written.
   * Undefined in place of all when Redis does not have the whole game.
   */
  readonly standings: readonly (Standing | undefined)[] | undefined;
  /** Weeks whose top 10 this call changed and whose push lease it holds. */
  readonly pushes: readonly string[];
};

export type Ranking = LiveReader & {
  /** One FCALL; everything but the feed event is idempotent, and replays add none. */
  apply(game: string, submissions: readonly RecordedSubmission[]): Promise<Applied>;
  /** Adds the feed events that the feed lacks; number added. */
  ensureEvents(game: string, events: readonly FeedEvent[]): Promise<number>;
  /** Ends the push lease and reads the newest top 10; undefined when Redis does not have the game. */
  takePush(game: string, week: string): Promise<BoardPage | undefined>;
  /** Whether Redis has the game; one command. */
  has(game: string): Promise<boolean>;
  ping(): Promise<void>;
};

/** What happens to one board: players taken off, entries put on where they are better than what the board has. */
export type Fill = {
  readonly board: BoardRef;
  readonly entries: readonly RawEntry[];
  readonly leavers: readonly string[];
};

/** One rebuild of a game: it lives in Redis, so that a Redis that was emptied has forgotten it. */
export type Run = {
  /** Whose lease it is. */
  readonly token: string;
  readonly run: string;
  /** What the last page noted; "" for a new run. */
  readonly position: string;
};

/** Brings boards up to what Postgres says. */
export type BoardFiller = {
  /** Takes the lease on a cold game's rebuild: a new run, or the one that somebody left. */
  begin(game: string, leaseMs: number): Promise<Run | "warm" | "busy">;
  /** Empties all boards that Redis keeps of these weeks; false when the lease or the run is lost. */
  clear(game: string, run: Run, leaseMs: number, weeks: readonly string[], position: string): Promise<boolean>;
  /** Fills boards, notes the position and renews the lease in one step; false when the lease or the run is lost. */
  page(game: string, run: Run, leaseMs: number, position: string, fills: readonly Fill[]): Promise<boolean>;
  /** Declares the game complete in Redis: the last step of a run. False when the lease or the run is lost. */
  finish(game: string, run: Run, moderated: string, events: readonly FeedEvent[]): Promise<boolean>;
  /** Takes everything of the game out of Redis, in one step: boards of these weeks, feed, and a run under way. */
  forget(game: string, weeks: readonly string[]): Promise<void>;
  /** Fills boards outside a run and notes `moderated`, boards or none; weeks whose push lease the caller now holds. */
  fill(game: string, moderated: string, fills: readonly Fill[]): Promise<readonly string[]>;
};

/** An entry of `bests` with what concerns the country boards. */
export type BestEntry = RawEntry & {
  readonly country: string | undefined;
};

/** What a rebuild reads. */
export type BestsPager = {
  /** Those of `among` that have entries, in their order; undefined when the game does not exist. */
  boards(game: string, among: readonly string[]): Promise<string[] | undefined>;
  /** At most `n` entries of a week's or the all-time board, best first, below `after`. */
  page(game: string, board: string, after: Cursor | undefined, n: number): Promise<readonly BestEntry[]>;
  /** When a moderator last took something off the game's boards, microseconds; 1: never. Versions begin with it. */
  moderated(game: string): Promise<string>;
  /** The newest submissions, newest first. */
  newest(game: string, n: number): Promise<FeedEvent[]>;
  /** Those of the submissions that count now: moderation may have taken some back. */
  events(game: string, submissionIds: readonly string[]): Promise<FeedEvent[]>;
};

/** Bests of players whose submissions are to be compared with Redis. */
export type WindowBest = BestEntry & {
  readonly board: string;
  readonly leftCountries: readonly string[];
};

/** What reconciling reads and notes in Postgres. Positions are submission ids; their order is that of arrival. */
export type ReconciliationStore = {
  /** Undefined when the game does not exist. */
  state(game: string): Promise<
    | {
        /** Everything up to here is known to be in Redis. */
        readonly verified: string;
        /** No submission below this can still appear, and no call for one can still be on its way. */
        readonly settled: string;
        /** A submission below this has its feed event, or its call is late enough to look for a double. */
        readonly arrived: string;
        readonly newest: string | undefined;
        readonly feedLength: number;
      }
    | undefined
  >;
  /** Bests of the players of at most `n` submissions after `after`; `last` is the last of these. */
  window(
    game: string,
    after: string,
    n: number,
  ): Promise<{ readonly last: string | undefined; readonly bests: readonly WindowBest[]; readonly moderated: string }>;
  /** Those among the game's newest `n` submissions that lie in the window, newest first. */
  newest(game: string, after: string, before: string, n: number): Promise<FeedEvent[]>;
  /** Notes that everything up to `to` is in Redis; never goes back. */
  advance(game: string, to: string): Promise<void>;
};

export type GameStore = {
  find(game: string): Promise<GameConfig | undefined>;
  /** True when the game was created. */
  put(game: string, config: GameConfig): Promise<boolean>;
  badgesOf(game: string, player: string): Promise<Badge[]>;
  ping(): Promise<void>;
};

export type NewBadge = { readonly player: string; readonly badge: string };

export type Rooms = {
  pushTop(message: TopMessage & { readonly shards?: number }): Promise<void>;
  /** Announces new badges to the rooms of a week: no more than one push takes. */
  pushBadges(game: string, week: string, badges: readonly NewBadge[], shards: number): Promise<void>;
  /** Makes a room ask for its board, unless it knows of that many players. */
  check(game: string, week: string, boardSize: number | undefined): Promise<void>;
};

/** A busy game and when it was last marked, unix milliseconds. */
export type Mark = { readonly game: string; readonly atMs: number };

/** Which games woke up, for the cron. */
export type ActiveGames = {
  /** Says that a game is busy; cheap, at most once in a while per isolate. */
  mark(game: string): Promise<void>;
  /** Every busy game, and when a tick last saw the whole list; `undefined` = never since Redis (re)started it. */
  read(): Promise<{ readonly marks: readonly Mark[]; readonly seenAtMs: number | undefined }>;
  /** Marks games that Postgres says may have work, and starts the list anew if it was lost. */
  wake(games: readonly string[]): Promise<readonly Mark[]>;
  /** Notes that a tick saw the whole list; does nothing if Redis has lost it meanwhile. */
  seen(): Promise<void>;
  /** Takes games out of the list, except those that were marked again since it was read. */
  release(marks: readonly Mark[]): Promise<void>;
  /** The game that the last tick did not reach; undefined when it reached all. */
  next(): Promise<string | undefined>;
  /** Notes with which game the next tick goes on. */
  goOnWith(game: string): Promise<void>;
};

/** The id of a deployment as each of its stores has it. */
export type StoreMarks = {
  ofPostgres(): Promise<string | undefined>;
  /** The id of Postgres, which gets one when it has none. */
  make(): Promise<string>;
  /** Undefined: never marked, flushed, or unreadable. */
  ofRedis(): Promise<string | undefined>;
  put(id: string): Promise<void>;
};

/** What the badge group has not finished; `undefined` in place of it: Redis does not have the game. */
export type QueueState = {
  /** Read by a run that did not acknowledge (yet). */
  readonly pending: number;
  /** Not read by any run yet; counted up to a thousand where Redis cannot tell. */
  readonly unread: number;
  /** The newest entry that some run has read. */
  readonly lastRead: string;
  /** Runs that have not ended, or that ended without a trace. */
  readonly consumers: number;
};

/** An entry of the activity stream; `submissionId` is undefined when its body is gone or not of our making. */
export type QueueEntry = { readonly id: string; readonly submissionId: string | undefined };

/** The activity stream as the badge group reads it. */
export type BadgeQueue = {
  /** One command. Makes the group when only that is missing. */
  state(game: string): Promise<QueueState | undefined>;
  /** Takes over entries that no run finished for `minIdleMs`; go on until `cursor` is undefined. */
  claim(game: string, by: Claim): Promise<Claimed>;
  readNew(game: string, consumer: string, n: number): Promise<readonly QueueEntry[]>;
  acknowledge(game: string, ids: readonly string[]): Promise<void>;
  /** Shortens the feed to about `length` entries unless the group still needs older ones; number removed. */
  trim(game: string, lastRead: string, length: number): Promise<number>;
  /** Removes a run's consumer; only for one with nothing pending, since its pending entries would go with it. */
  forget(game: string, consumer: string): Promise<void>;
  /** Removes the consumers of runs that died: nothing pending, and not heard of for `minIdleMs`. */
  forgetDead(game: string, minIdleMs: number): Promise<void>;
};

export type Claim = {
  readonly consumer: string;
  readonly minIdleMs: number;
  readonly cursor: string;
  readonly n: number;
};

export type Claimed = { readonly entries: readonly QueueEntry[]; readonly cursor: string | undefined };

/** Awards: every call inserts or ignores, and answers with what was really new. */
export type BadgeStore = {
  /** Judges these submissions by the rules of the moment they were received. */
  award(game: string, submissionIds: readonly string[]): Promise<readonly NewBadge[]>;
  /**
   * Judges at most `n` settled submissions that no earlier call judged, and remembers how far it came. `behind`: there
   * are more; `settling`: some are too young to be judged for good.
   */
  awardNext(
    game: string,
    n: number,
  ): Promise<{
    readonly awarded: readonly NewBadge[];
    readonly judged: number;
    readonly behind: boolean;
    readonly settling: boolean;
    /** The game's, since this is the one statement that a busy game costs anyway; undefined: no such game. */
    readonly feedLength: number | undefined;
    /** Somebody moderated a player in the last minutes; for the same reason. */
    readonly moderated: boolean;
  }>;
  /** Judges a page of history by today's thresholds; `next` is where the following page starts, undefined at the end. */
  awardHistory(
    game: string,
    after: string | undefined,
    n: number,
  ): Promise<{ readonly awarded: number; readonly judged: number; readonly next: string | undefined }>;
  /** Number of badges that judged submissions deserve and that are not there. */
  missing(game: string): Promise<number>;
  /** All games, or those with submissions that were not judged yet or with moderation that Redis has to follow. */
  games(which: "all" | "behind"): Promise<readonly string[]>;
};

/** What monitoring asks for; each is one statement or command. */
export type Vitals = {
  /** Release of the ranking library that the Worker carries. */
  readonly release: number;
  /** Release that Redis has; it is loaded when Redis has none. */
  redisRelease(): Promise<number>;
  postgres(): Promise<void>;
  /** Whether this isolate answers without asking the store, because it did not answer lately. */
  givenUp(store: "postgres" | "redis"): boolean;
  /** Of these games: how many have submissions that are not yet known to be on the boards, and how old the oldest is. */
  unverified(games: readonly string[]): Promise<{ readonly games: number; readonly oldestMs: number }>;
  /** Whether a bearer token may read metrics. */
  mayReadMetrics(token: string): Promise<boolean>;
};

/** Shields at the edge, per location; true = within the limit. */
export type EdgeLimits = {
  player(game: string, player: string): Promise<boolean>;
  address(address: string): Promise<boolean>;
};

export type Clock = { now(): number };

/** Requests that this run of the Worker may still send. */
export type Subrequests = { left(): number };

/** Work that goes on after the response (waitUntil). */
export type Background = {
  run(name: string, work: () => Promise<void>): void;
  /** Keeps work that never fails alive after the response, without a line in the log. */
  keep(work: Promise<void>): void;
};

export type Deps = {
  /** The caller behind a bearer token, or what is wrong with it. */
  readonly authenticate: (token: string) => Promise<Authenticated>;
  /** Whose bearer token it is, as far as this isolate can tell without asking a store. */
  readonly recognise: (token: string) => Promise<Caller["kind"] | undefined>;
  /** Whether a bearer token is the secret that Worker and rooms share. It opens nothing; the limit by address does not count it. */
  readonly isRoom: (token: string) => Promise<boolean>;
  readonly edgeLimits: EdgeLimits;
  /** Undefined when the environment has no secret for it. */
  readonly signatures: Signatures | undefined;
  readonly moderation: ModerationStore;
  readonly playerFiles: PlayerFiles;
  readonly corrector: Corrector;
  readonly submissions: SubmissionStore;
  readonly history: BoardReader;
  readonly bests: BestsPager;
  readonly reconciliations: ReconciliationStore;
  readonly filler: BoardFiller;
  readonly ranking: Ranking;
  readonly games: GameStore;
  readonly rooms: Rooms;
  /** Public address of the rooms. */
  readonly partyUrl: string;
  readonly active: ActiveGames;
  readonly storeMarks: StoreMarks;
  readonly queue: BadgeQueue;
  readonly badges: BadgeStore;
  /** The state of the service beyond one game. */
  readonly vitals: Vitals;
  /** Waits a moment for stores that did not answer lately; for jobs, since calls to them fail at once. Never throws. */
  readonly awaitStores: () => Promise<void>;
  readonly clock: Clock;
  /** How long the calls to the dependencies took so far. */
  readonly timings: Timings;
  readonly subrequests: Subrequests;
  readonly background: Background;
  readonly sleep: (ms: number) => Promise<void>;
};
