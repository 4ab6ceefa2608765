import type { Badge } from "../../contract/players.ts";
import type { GameConfig } from "../../contract/games.ts";

export type GameStore = {
  find(game: string): Promise<GameConfig | undefined>;
  /** True when the game was created. */
  put(game: string, config: GameConfig): Promise<boolean>;
  badgesOf(game: string, player: string): Promise<Badge[]>;
};

/** A busy game and when it was last marked, unix milliseconds. */
export type Mark = { readonly game: string; readonly atMs: number };

/** Which games woke up, for the cron. */
export type ActiveGames = {
  /** Says that a game is busy; cheap, at most once in a while per isolate. */
  mark(game: string): Promise<void>;
  /**
   * Every busy game, and when a tick last saw the whole list; `undefined` = never since Redis (re)started it. `dueAtMs`: when the
   * list of due periods has to be read; `undefined` = now.
   */
  read(): Promise<{
    readonly marks: readonly Mark[];
    readonly seenAtMs: number | undefined;
    readonly dueAtMs: number | undefined;
  }>;
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

/** The ports of this wing by the names under which they are handed on. */
export type GamePorts = {
  readonly games: GameStore;
  readonly active: ActiveGames;
};
