/** Every Redis key of the service. A game's keys share its hash tag, so that one call may touch several. */
import { COUNTRIES } from "../../domain/country.ts";
import type { BoardRef } from "../../domain/board/board.ts";

const ofGame = (game: string) => `lb:{${game}}`;

export const activityKey = (game: string) => `${ofGame(game)}:activity`;
export const playersKey = (game: string, week: string) => `${ofGame(game)}:players:${week}`;
/** The last feed entry whose player was counted there. */
export const countedKey = (game: string, week: string) => `${playersKey(game, week)}:counted`;
export const leaseKey = (game: string, week: string) => `${weekKey(game, week)}:push`;
/** Held by whoever rebuilds the game. */
export const rebuildKey = (game: string) => `${ofGame(game)}:rebuild`;
/** Which rebuild is under way and how far it is. */
export const rebuildStateKey = (game: string) => `${rebuildKey(game)}:state`;
export const allTimeKey = (game: string) => `${ofGame(game)}:board:all-time`;
export const weekKey = (game: string, week: string) => `${ofGame(game)}:board:${week}`;
export const countryKey = (game: string, week: string, country: string) => `${weekKey(game, week)}:${country}`;

export function boardKey(game: string, board: BoardRef): string {
  if (board.kind === "all-time") return allTimeKey(game);
  return board.country === undefined ? weekKey(game, board.week) : countryKey(game, board.week, board.country);
}

/** When a moderator last took something off the game's boards: what the versions of all of them begin with. */
export const moderatedKey = (game: string) => `${ofGame(game)}:moderated`;

/** Every key that a game may have while Redis keeps these weeks. */
export function everyKey(game: string, weeks: readonly string[]): string[] {
  const ofWeek = (week: string) => [
    weekKey(game, week),
    leaseKey(game, week),
    playersKey(game, week),
    countedKey(game, week),
    ...COUNTRIES.map((country) => countryKey(game, week, country)),
  ];
  // The last one is of releases before; what they made for a week expires with it.
  const ofAllTime = [allTimeKey(game), `${allTimeKey(game)}:version`];
  const own = [activityKey(game), moderatedKey(game), rebuildKey(game), rebuildStateKey(game)];
  return [...own, ...ofAllTime, ...weeks.flatMap(ofWeek)];
}

/** The games that woke up since the cron last looked: one sorted set for all games, score = unix ms of the mark. */
export const ACTIVE_KEY = "lb:active";

/** The busy game with which the next tick goes on. */
export const NEXT_KEY = "lb:active:next";

/** The id of the deployment that this Redis belongs to; Postgres holds the same. */
export const DEPLOYMENT_KEY = "lb:deployment";

/** Consumer group that awards badges. */
export const BADGE_GROUP = "badges";
