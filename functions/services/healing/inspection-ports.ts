/** What comparing Redis with Postgres needs from the outside. */
import type { Board, RawEntry } from "../../domain/board/board.ts";
import type { Part, PeriodBoard } from "../../domain/board/period-board.ts";

/** Whole boards, and their parts of these countries; and boards that the game defined. */
export type Subject = {
  readonly boards: readonly Board[];
  readonly defined: readonly PeriodBoard[];
  /** `any`: some of those that have entries, others at each look. */
  readonly countries: readonly string[] | "any";
  /** Whether the keys beside the boards are looked at too: push leases, distinct players. */
  readonly upkeep: boolean;
  /** Players who are left out, since what they submitted is on its way. */
  readonly except?: ReadonlySet<string>;
};

/** What a board must hold of one player: `entry` undefined means nothing. */
export type Fact = {
  readonly board: Board;
  readonly player: string;
  readonly entry: RawEntry | undefined;
  readonly country: string | undefined;
  /** Reconciling has proven that Redis held it. Others may still be on their way. */
  readonly verified: boolean;
};

/** The same of a board that the game defined, and of the parts of it that the player is in. */
export type EntryFact = {
  readonly periodBoard: PeriodBoard;
  readonly player: string;
  readonly entry: RawEntry | undefined;
  readonly parts: readonly Part[];
  readonly verified: boolean;
};

/** What Postgres says about a game at one moment. */
export type GameFacts = {
  readonly facts: readonly Fact[];
  /** The players of the boards to look at, by label (`labelOf`); undefined: Postgres does not count them. */
  readonly sizes: ReadonlyMap<string, number | undefined>;
  /** Submissions that are not verified; undefined when there are too many to count. */
  readonly pending: number | undefined;
  /** What the versions begin with. */
  readonly moderated: string;
  /** A moderator's action may still be on its way to Redis. */
  readonly moderating: boolean;
  /** The newest submission that the feed must have had: verified, and in any case. */
  readonly newestVerified: string | undefined;
  readonly newest: string | undefined;
};

export type FactStore = {
  /** One statement; undefined when the game does not exist. */
  of(game: string, subject: Subject): Promise<GameFacts | undefined>;
  /** One statement: of boards that the game defined, what Redis must hold, and how many players they have. */
  ofEntries(
    game: string,
    boards: readonly PeriodBoard[],
  ): Promise<{ readonly facts: readonly EntryFact[]; readonly sizes: ReadonlyMap<string, number> }>;
  /** Counts a board anew if it was counted wrong; true if it was. By its name, or its key. */
  recount(game: string, board: string): Promise<boolean>;
};

/** What Redis holds, of a board or a board of a country. */
export type HeldBoard = {
  readonly size: number;
  /** Undefined where distinct players are not counted. */
  readonly estimate: number | undefined;
  /** Packed scores as Redis has them; undefined for a player who is not there. */
  readonly scores: ReadonlyMap<string, number | undefined>;
};

export type Held = {
  /** What the versions begin with: when a moderator last took something off, microseconds. */
  readonly moderated: string;
  /** Without those that are full, which hold nothing. */
  readonly boards: ReadonlyMap<string, HeldBoard>;
  /** Submissions of the newest feed entries. */
  readonly events: readonly string[];
};

/** The players to look at, by the board's label; of a board that the game defined its key, or that of a part (`partLabelOf`). */
export type Asked = ReadonlyMap<string, readonly string[]>;

export type Inspector = {
  /** One call. `damaged`: a key has a type that none of its kind has, or a lease that never ends. */
  inspect(game: string, asked: Asked, upkeep: boolean): Promise<Held | "missing" | "damaged">;
  /** Makes the game missing, so that it is answered from Postgres and rebuilt; deletes what else of it is damaged. */
  condemn(game: string): Promise<void>;
};
