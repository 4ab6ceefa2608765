import type { RawEntry } from "../../domain/board/board.ts";
import type { Part } from "../../domain/board/period-board.ts";

/** A stretch of a board that a game defined. `points` of entries are strengths. */
export type EntryPage = {
  readonly boardSize: number;
  readonly firstRank: number;
  readonly firstCompetitionRank: number;
  readonly entries: readonly RawEntry[];
};

/** Boards that a game defined, by the keys of `bests`, from Postgres. */
export type EntryReader = {
  top(game: string, key: string, part: Part | undefined, n: number, after: RawEntry | undefined): Promise<EntryPage>;
  /** Without entries when the player is not on the board. */
  around(game: string, key: string, part: Part | undefined, player: string, k: number): Promise<EntryPage>;
  count(game: string, key: string, part: Part | undefined): Promise<number>;
};

/** The ports of reads of defined boards by the names under which they are handed on. */
export type EntryPorts = { readonly entries: EntryReader };
