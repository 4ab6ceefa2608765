import type { FeedEvent } from "../../contract/feed.ts";
import type { Board, RawEntry, Cursor } from "../../domain/board/board.ts";
import type { Part, PeriodBoard } from "../../domain/board/period-board.ts";

/** A stretch of a board: consecutive entries with the places of the first one. */
export type BoardPage = {
  readonly boardSize: number;
  readonly version: string;
  readonly firstRank: number;
  readonly firstCompetitionRank: number;
  readonly entries: readonly RawEntry[];
};

/** Reads of one kind of boards. */
export type PageReader<B> = {
  top(game: string, board: B, n: number, cursor: Cursor | undefined): Promise<BoardPage>;
  /** Undefined, or without entries, when the player is not on the board. */
  around(game: string, board: B, player: string, k: number): Promise<BoardPage | undefined>;
  count(game: string, board: B): Promise<{ estimate: number; ranked: number }>;
};

export type BoardReader = PageReader<Board> & {
  feed(game: string, n: number, before: string | undefined): Promise<{ events: FeedEvent[]; next: string | null }>;
};

/**
 * `undefined` from a read means that Redis does not have the game (new, wiped or being rebuilt). A board that is full is
 * refused (`RECORD_SIZE`).
 */
export type LiveReadsOf<R extends Record<keyof R, (...args: never[]) => Promise<unknown>>> = {
  [K in keyof R]: (...args: Parameters<R[K]>) => Promise<{ readonly found: Awaited<ReturnType<R[K]>> } | undefined>;
};
export type LiveReader = LiveReadsOf<BoardReader>;

/** A board that the game defined, in one of its periods, or a part of it. `points` of its entries are strengths. */
export type PeriodPart = { readonly board: PeriodBoard; readonly part: Part | undefined };

/** Where an answer came from; `degraded` when Redis should have had it. */
export type Source = { readonly from: "redis" | "postgres"; readonly degraded: boolean };
export type Sourced<T> = { readonly body: T; readonly source: Source };

/** The ports of this wing by the names under which they are handed on. */
export type BoardPorts = {
  readonly history: BoardReader;
  /** Boards that games defined, from Postgres and from Redis. */
  readonly periodHistory: PageReader<PeriodPart>;
  readonly periodRanking: LiveReadsOf<PageReader<PeriodPart>>;
};
