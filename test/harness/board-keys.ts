/** Keys of boards by the words that tests use. */
import { boardKey } from "../../functions/adapters/redis/keys.ts";
import { ALL_TIME, boardOf } from "../../functions/domain/board/board.ts";

export const allTimeKey = (game: string) => boardKey(game, ALL_TIME);
export const weekKey = (game: string, week: string) => boardKey(game, boardOf(week));
export const countryKey = (game: string, week: string, country: string) => boardKey(game, boardOf(week, country));
