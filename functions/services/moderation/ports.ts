/** What moderation needs from the outside. */
import type { FeedEvent } from "../../contract/feed.ts";
import type { Held, PlayerExport } from "../../contract/moderation.ts";
import type { Board, RawEntry } from "../../domain/board/board.ts";
import type { Part, PeriodBoard } from "../../domain/board/period-board.ts";
import type { Best } from "../../domain/board/ranking.ts";

/** What Postgres says about a player on whom a moderator acted: what Redis has to show. */
export type Correction = {
  readonly player: string;
  /** When the moderator acted, as the database writes it: a later action on the player has a later one. */
  readonly at: string;
  /** When a moderator last took something off the game's boards, microseconds; versions begin with it. */
  readonly moderated: string;
  /** Whether all their events leave the feed. */
  readonly forget: boolean;
  /** Single submissions whose events leave the feed. */
  readonly submissions: readonly string[];
  readonly boards: readonly {
    readonly board: Board;
    /** Undefined: they are not on it (any more). */
    readonly best: Best | undefined;
    readonly country: string | undefined;
    /** Every country whose part of the board may have them, `country` among them. */
    readonly countries: readonly string[];
  }[];
  /** Boards that the game defined. */
  readonly defined: readonly {
    readonly periodBoard: PeriodBoard;
    /** Undefined: they are not on it (any more). */
    readonly entry: RawEntry | undefined;
    readonly parts: readonly Part[];
    /** Every part that may have them. */
    readonly everIn: readonly Part[];
  }[];
};

export type ModerationStore = {
  /**
   * Undefined when the game does not exist; otherwise whether it has submissions of the player. `by` is who asked, for the audit
   * log.
   */
  ban(game: string, player: string, by: string): Promise<{ readonly known: boolean } | undefined>;
  /** False when the game does not exist; the same for the next one. */
  unban(game: string, player: string, by: string): Promise<boolean>;
  deletePlayer(game: string, player: string, by: string): Promise<boolean>;
  decide(
    game: string,
    submissionId: string,
    state: "removed" | "ranked" | "rejected",
    by: string,
  ): Promise<
    { readonly result: "done"; readonly player: string } | { readonly result: "unknown-game" | "unknown-submission" }
  >;
  /** Submissions that wait for review, oldest first. */
  held(game: string, n: number, after: string | undefined): Promise<Held[]>;
  /** The feed event of a submission that counts; undefined when it does not (any more). */
  event(game: string, submissionId: string): Promise<FeedEvent | undefined>;
  /** At most `n` of the players on whom a moderator acted in the last minutes, oldest action first, behind `after`. */
  corrections(game: string, after: Correction | undefined, n: number): Promise<Correction[]>;
  /** Of these players, those on whom a moderator acted in the last minutes. */
  correctionsOf(game: string, players: readonly string[]): Promise<Correction[]>;
  /** Deletes these corrections where they are old enough to be certain; how many the game has left. */
  deleteCorrections(game: string, corrections: readonly Correction[], olderThanSeconds: number): Promise<number>;
  /** Brings what versions begin with up to what Redis had to make of it. */
  raiseModerated(game: string, to: string): Promise<void>;
  /** Number of the new secret; undefined when the game does not exist. */
  nextSigningKey(game: string, by: string): Promise<number | undefined>;
};

/** What the cron asks page by page: it may take long for reasons of its own, which says nothing of the store. */
export type CorrectionPages = Pick<
  ModerationStore,
  "corrections" | "correctionsOf" | "deleteCorrections" | "raiseModerated"
>;

export type PlayerFiles = {
  /** A page of what is stored about a player; undefined when nothing is. */
  read(game: string, player: string, n: number, after: string | undefined): Promise<PlayerExport | undefined>;
};

/** Makes a player's entries in Redis what Postgres says. */
export type Corrector = {
  /**
   * Weeks whose push lease the caller now holds; `moderated` as it is in Redis now. It is later than the correction's when
   * something got worse that was shown with the same one; Postgres has to follow (`raiseModerated`).
   */
  correct(
    game: string,
    correction: Correction,
  ): Promise<{ readonly pushes: readonly string[]; readonly moderated: string }>;
};

/** The ports of this wing by the names under which they are handed on. */
export type ModerationPorts = {
  readonly moderation: ModerationStore;
  readonly correctionPages: CorrectionPages;
  readonly playerFiles: PlayerFiles;
  readonly corrector: Corrector;
};
