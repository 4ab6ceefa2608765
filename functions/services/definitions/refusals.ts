/** What a route of boards says of one that is not there. */
import { DomainError } from "../../domain/errors.ts";

export const unknownGame = (game: string) => new DomainError("unknown-game", `There is no game "${game}".`);
export const unknownBoard = (board: string) =>
  new DomainError("unknown-board", `The game has no board "${board}". PUT defines it.`);
