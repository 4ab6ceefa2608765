export type NewBadge = { readonly player: string; readonly badge: string };

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
  removeConsumer(game: string, consumer: string): Promise<void>;
  /** Removes the consumers of runs that died: nothing pending, and not heard of for `minIdleMs`. */
  removeDeadConsumers(game: string, minIdleMs: number): Promise<void>;
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
    /** A moderator acted on a player in the last minutes; for the same reason. */
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

/** The ports of this wing by the names under which they are handed on. */
export type BadgePorts = {
  readonly queue: BadgeQueue;
  readonly badges: BadgeStore;
};
