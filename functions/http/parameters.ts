/** Path parameters and the boards they name. */
import { z } from "@hono/zod-openapi";
import { Board, Game, NamedPlayer } from "../contract/primitives.ts";
import { countryOf } from "../domain/country.ts";
import { DomainError } from "../domain/errors.ts";
import { weekOf } from "../domain/board/week.ts";
import type { BoardRef } from "../domain/board/board.ts";

/** Of routes that take no query: what a client sends all the same is a mistake that it should hear of. */
export const NoQuery = z.strictObject({});

export const GameParam = z.object({ game: Game });
export const PlayerParam = z.object({ game: Game, player: NamedPlayer });
export const BoardParam = z.object({ game: Game, board: Board });
export const BoardPlayerParam = z.object({ game: Game, board: Board, player: NamedPlayer });

/** The board that path and query name. Throws DomainError `invalid` for a country of the all-time board. */
export function boardRef(board: string, country: string | undefined, nowMs: number): BoardRef {
  if (country !== undefined && board === "all-time") {
    const errors = [{ pointer: "country", detail: "must be left out: the all-time board is not split by country" }];
    throw new DomainError("invalid", "There is no such country board.", { errors });
  }
  if (board === "all-time") return { kind: "all-time" };
  return { kind: "week", week: board === "current" ? weekOf(nowMs) : board, country: countryOf(country) };
}
