import type { FeedEvent } from "../../contract/feed.ts";
import type { Board, RawEntry, Cursor } from "../../domain/board/board.ts";

/** A stretch of a board: consecutive entries with the places of the first one. */
export type BoardPage = {
  readonly boardSize: number;
  readonly version: string;
  readonly firstRank: number;
  readonly firstCompetitionRank: number;
  readonly entries: readonly RawEntry[];
};

export type BoardReader = {
  top(game: string, board: Board, n: number, cursor: Cursor | undefined): Promise<BoardPage>;
  /** Undefined, or without entries, when the player is not on the board. */
  around(game: string, board: Board, player: string, k: number): Promise<BoardPage | undefined>;
  count(game: string, board: Board): Promise<{ estimate: number; ranked: number }>;
  feed(game: string, n: number, before: string | undefined): Promise<{ events: FeedEvent[]; next: string | null }>;
};

/**
 * `undefined` from a read means that Redis does not have the game (new, wiped or being rebuilt). A board that is full is
 * refused (`RECORD_SIZE`).
 */
export type LiveReader = {
  [K in keyof BoardReader]: (
    ...args: Parameters<BoardReader[K]>
  ) => Promise<{ readonly found: Awaited<ReturnType<BoardReader[K]>> } | undefined>;
};

/** Where an answer came from; `degraded` when Redis should have had it. */
export type Source = { readonly from: "redis" | "postgres"; readonly degraded: boolean };
export type Sourced<T> = { readonly body: T; readonly source: Source };

/** The ports of this wing by the names under which they are handed on. */
export type BoardPorts = {
  readonly history: BoardReader;
};
