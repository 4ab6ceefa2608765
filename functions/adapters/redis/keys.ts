/** Every Redis key of the service. A game's keys share its hash tag, so that one call may touch several. */
import { ALL_TIME, isLive, withParts, type Board } from "../../domain/board/board.ts";
import { partLabelOf, type Part } from "../../domain/board/period-board.ts";

const ofGame = (game: string) => `lb:{${game}}`;

export const activityKey = (game: string) => `${ofGame(game)}:activity`;
/** Distinct players of a live board. */
export const playersKey = (game: string, board: string) => `${ofGame(game)}:players:${board}`;
/** The last feed entry whose player was counted there. */
export const countedKey = (game: string, board: string) => `${playersKey(game, board)}:counted`;
/** Held by the request that pushes a live board's top 10. */
export const leaseKey = (game: string, board: string) => `${ofGame(game)}:board:${board}:push`;
/** The lease on the rebuild of the game. */
export const rebuildKey = (game: string) => `${ofGame(game)}:rebuild`;
/** Which rebuild is under way and how far it is. */
export const rebuildStateKey = (game: string) => `${rebuildKey(game)}:state`;

export function boardKey(game: string, { name, country }: Board): string {
  const whole = `${ofGame(game)}:board:${name}`;
  return country === undefined ? whole : `${whole}:${country}`;
}

/** A board that a game defined, or a part of it: `lb:{g}:board:laps.2026-10-14`, `lb:{g}:board:laps.2026-10-14:platform=ios`. */
export function periodBoardKey(game: string, key: string, part?: Part): string {
  return `${ofGame(game)}:board:${part === undefined ? key : partLabelOf(key, part)}`;
}

/** What the versions of a board given by `newer` are made of (lua/src/defined/changes.lua). */
export const changesKey = (game: string, key: string) => `${ofGame(game)}:changes:${key}`;

/** When a moderator last took something off the game's boards: what the versions of all of them begin with. */
export const moderatedKey = (game: string) => `${ofGame(game)}:moderated`;

/** Every key that a game may have while Redis keeps these boards. */
export function everyKey(game: string, boards: readonly Board[]): string[] {
  const ofBoard = (board: Board) => [
    ...withParts(board).map((part) => boardKey(game, part)),
    ...(isLive(board) ? [leaseKey, playersKey, countedKey].map((key) => key(game, board.name)) : []),
  ];
  const own = [activityKey(game), moderatedKey(game), rebuildKey(game), rebuildStateKey(game)];
  // The last one is of releases before; what they made for a week expires with it.
  return [...own, ...boards.flatMap(ofBoard), `${boardKey(game, ALL_TIME)}:version`];
}

/** The games that woke up since the cron last looked: one sorted set for all games, score = unix ms of the mark. */
export const ACTIVE_KEY = "lb:active";

/** When a tick has to read which rows of periods are due: one member, score = unix ms. Read in one command with the list of busy games. */
export const DUE_AT_KEY = "{lb:active}:due";

/** When games that defined boards need their next rows of periods: one sorted set for all games, score = unix ms. */
export const DUE_KEY = "lb:due";

/** The busy game with which the next tick goes on. */
export const NEXT_KEY = "lb:active:next";

/** The id of the deployment that this Redis belongs to; Postgres holds the same. */
export const DEPLOYMENT_KEY = "lb:deployment";

/** Consumer group that awards badges. */
export const BADGE_GROUP = "badges";
