import type { FeedEvent } from "../../contract/feed.ts";
import type { Board, RawEntry, Cursor } from "../../domain/board/board.ts";
import type { Part, PeriodBoard } from "../../domain/board/period-board.ts";
import type { FactStore, Inspector } from "./inspection-ports.ts";

type Filling = { readonly entries: readonly RawEntry[]; readonly removals: readonly string[] };

/** The same of a board that the game defined, or of a part of it. */
export type PeriodFill = Filling & { readonly periodBoard: PeriodBoard; readonly part: Part | undefined };

/** What happens to one board: players taken off, entries put on where they are better (or newer) than what the board has. */
export type Fill = (Filling & { readonly board: Board }) | PeriodFill;

/** A board that a game defined, with how many players it has. */
export type CountedBoard = { readonly periodBoard: PeriodBoard; readonly players: number };

/** A board that a game defined, with every part of it that Postgres knows of. */
export type PartedBoard = { readonly periodBoard: PeriodBoard; readonly parts: readonly Part[] };

/** One rebuild of a game, whose state is in Redis: a Redis that was emptied has lost it, too. */
export type Rebuild = {
  /** Whose lease it is. */
  readonly token: string;
  readonly id: string;
  /** What the last page noted; "" for a new rebuild. */
  readonly position: string;
};

/** Brings boards up to what Postgres says. */
export type BoardFiller = {
  /** Takes the lease on a missing game's rebuild: a new one, or the one that another request left. */
  begin(game: string, leaseMs: number): Promise<Rebuild | "ready" | "busy">;
  /** Empties these boards and their parts; false when the lease or the rebuild is lost. */
  clear(
    game: string,
    rebuild: Rebuild,
    leaseMs: number,
    boards: readonly Board[],
    defined: readonly PartedBoard[],
    position: string,
  ): Promise<boolean>;
  /** Fills boards, notes the position and renews the lease in one step; false when the lease or the rebuild is lost. */
  page(game: string, rebuild: Rebuild, leaseMs: number, position: string, fills: readonly Fill[]): Promise<boolean>;
  /** Declares the game complete in Redis: the last step of a rebuild. False when the lease or the rebuild is lost. */
  finish(game: string, rebuild: Rebuild, moderated: string, events: readonly FeedEvent[]): Promise<boolean>;
  /** Removes boards that the game defined, with these parts. */
  removeBoards(game: string, boards: readonly PartedBoard[]): Promise<void>;
  /** Removes everything of the game from Redis, in one step: these boards, feed, and a rebuild under way. */
  removeGame(game: string, boards: readonly Board[]): Promise<void>;
  /** Fills boards outside a rebuild and notes `moderated`, boards or none; weeks whose push lease the caller now holds. */
  fill(game: string, moderated: string, fills: readonly Fill[]): Promise<readonly string[]>;
};

/** An entry of `bests` with what concerns the country boards. */
export type BestEntry = RawEntry & {
  readonly country: string | undefined;
};

/** An entry on a board that the game defined, with the parts that the player is in, and those that they left. */
export type PartedEntry = RawEntry & { readonly parts: readonly Part[]; readonly leftParts: readonly Part[] };

/** What a rebuild reads. */
export type BestsPager = {
  /**
   * Those of `among` that have entries, in their order, and those that the game defined and that have or had entries, by their
   * keys; undefined when the game does not exist.
   */
  boards(
    game: string,
    among: readonly Board[],
  ): Promise<{ readonly boards: readonly Board[]; readonly defined: readonly CountedBoard[] } | undefined>;
  /** Each of these boards with the parts that any of its entries is in or left; one statement, or none. */
  parted(game: string, boards: readonly PeriodBoard[]): Promise<readonly PartedBoard[]>;
  /** All entries of these boards, by the boards' keys. */
  entriesOf(game: string, boards: readonly PeriodBoard[]): Promise<ReadonlyMap<string, readonly PartedEntry[]>>;
  /** As `page`, of a board that the game defined. */
  entries(game: string, board: PeriodBoard, after: Cursor | undefined, n: number): Promise<readonly PartedEntry[]>;
  /** At most `n` entries of a whole board, best first, below `after`. */
  page(game: string, board: Board, after: Cursor | undefined, n: number): Promise<readonly BestEntry[]>;
  /** When a moderator last took something off the game's boards, microseconds; 1: never. Versions begin with it. */
  moderated(game: string): Promise<string>;
  /** The newest submissions, newest first. */
  newest(game: string, n: number): Promise<FeedEvent[]>;
  /** Those of the submissions that count now: moderation may have taken some back. */
  events(game: string, submissionIds: readonly string[]): Promise<FeedEvent[]>;
};

/** Bests of players whose submissions are to be compared with Redis. */
export type WindowBest = BestEntry & {
  readonly board: Board;
  /** The submission that set it. */
  readonly submissionId: string;
  readonly leftCountries: readonly string[];
};

/** The same on a board that the game defined. */
export type WindowEntry = PartedEntry & { readonly periodBoard: PeriodBoard };

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
  ): Promise<{
    readonly last: string | undefined;
    readonly bests: readonly WindowBest[];
    readonly entries: readonly WindowEntry[];
    readonly moderated: string;
  }>;
  /** Those among the game's newest `n` submissions that lie in the window, newest first. */
  newest(game: string, after: string, before: string, n: number): Promise<FeedEvent[]>;
  /** Notes that everything up to `to` is in Redis, these bests among it; never goes back. Deletes the witnesses of older weeks. */
  advance(game: string, to: string, witnesses: readonly Witness[], oldestWeek: string): Promise<void>;
};

/** A best that is known to be on a board, or on a week's board of a country. */
export type Witness = {
  readonly board: string;
  readonly country: string | undefined;
  readonly player: string;
  readonly submissionId: string;
};

/** The ports of this wing by the names under which they are handed on. */
export type HealingPorts = {
  readonly bests: BestsPager;
  readonly reconciliations: ReconciliationStore;
  readonly filler: BoardFiller;
  readonly facts: FactStore;
  readonly inspector: Inspector;
};
