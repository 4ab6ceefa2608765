/** Path parameters and the boards they name. */
import { z } from "@hono/zod-openapi";
import { BoardName, CURRENT, Game, NamedPlayer } from "../contract/primitives.ts";
import { boardOf, hasCountries, type Board } from "../domain/board/board.ts";
import { currentBoard } from "../domain/board/time.ts";
import { countryOf } from "../domain/country.ts";
import { DomainError } from "../domain/errors.ts";

/** Of routes that take no query: what a client sends all the same is a mistake that it should hear of. */
export const NoQuery = z.strictObject({});

export const GameParam = z.object({ game: Game });
export const PlayerParam = z.object({ game: Game, player: NamedPlayer });
export const BoardParam = z.object({ game: Game, board: BoardName });
export const BoardPlayerParam = z.object({ game: Game, board: BoardName, player: NamedPlayer });

/** The board that path and query name. Throws DomainError `invalid` for a country of the all-time board. */
export function boardAt(name: string, country: string | undefined, nowMs: number): Board {
  const whole = name === CURRENT ? currentBoard(nowMs) : boardOf(name);
  if (country === undefined) return whole;
  if (hasCountries(whole)) return { ...whole, country: countryOf(country) };
  const errors = [{ pointer: "country", detail: `must be left out: the ${whole.name} board is not split by country` }];
  throw new DomainError("invalid", "There is no such country board.", { errors });
}
