/** Path parameters and the boards they name. */
import { z } from "@hono/zod-openapi";
import { BoardName, Game, NamedPlayer } from "../contract/primitives.ts";
import { boardOf, hasCountries, type Board } from "../domain/board/board.ts";
import { CURRENT, parseRef, PREVIOUS, type BoardRef } from "../domain/board/ref.ts";
import { currentBoard, previousBoard } from "../domain/board/time.ts";
import { countryOf } from "../domain/country.ts";
import { DomainError } from "../domain/errors.ts";

/** Of routes that take no query: what a client sends all the same is a mistake that it should hear of. */
export const NoQuery = z.strictObject({});

export const GameParam = z.object({ game: Game });
export const PlayerParam = z.object({ game: Game, player: NamedPlayer });
export const BoardParam = z.object({ game: Game, board: BoardName });
export const BoardPlayerParam = z.object({ game: Game, board: BoardName, player: NamedPlayer });

const invalid = (pointer: string, detail: string) =>
  new DomainError("invalid", "There is no such board.", { errors: [{ pointer, detail }] });

/** The country that a query names, by itself or as a segment. Throws DomainError `invalid` for another segment. */
function countryIn({ country, segment }: PartOfBoard): string | undefined {
  if (segment === undefined) return country;
  if (country !== undefined) throw invalid("segment", "must be left out beside country");
  const named = /^country:(.*)$/.exec(segment)?.[1];
  if (named === undefined || countryOf(named) === undefined)
    throw invalid("segment", "must be a country, such as country:DE");
  return named;
}

export type PartOfBoard = { readonly country?: string | undefined; readonly segment?: string | undefined };

function wholeBoard(name: string, nowMs: number): Board {
  if (name === PREVIOUS) return previousBoard(nowMs);
  return name === CURRENT ? currentBoard(nowMs) : boardOf(name);
}

/** What a path names: a board of every game, or one that the game defined. Throws a RangeError for a text that names none. */
export function refOf(text: string): BoardRef {
  const ref = parseRef(text);
  if (!ref) throw new RangeError(`no board: ${text}`);
  return ref;
}

/** The board of every game that path and query name. Throws DomainError `invalid` for a country of the all-time board. */
export function boardAt(name: string, part: PartOfBoard, nowMs: number): Board {
  const whole = wholeBoard(name, nowMs);
  const country = countryIn(part);
  if (country === undefined) return whole;
  if (hasCountries(whole)) return { ...whole, country: countryOf(country) };
  const errors = [
    {
      pointer: part.country === undefined ? "segment" : "country",
      detail: `must be left out: the ${whole.name} board is not split by country`,
    },
  ];
  throw new DomainError("invalid", "There is no such country board.", { errors });
}
