/** Definitions as reads need them: what this isolate read a few seconds ago is good enough, since rules do not change. */
import { DomainError } from "../../domain/errors.ts";
import { orUnavailable } from "../or-unavailable.ts";
import { createMemory } from "../memory.ts";
import type { Runtime } from "../runtime.ts";
import type { DefinedBoard, DefinitionPorts } from "./ports.ts";
import { unknownBoard, unknownGame } from "./refusals.ts";

/** So long a board that was deleted, or defined by another isolate, may be unknown here. */
const KNOWN_FOR_MS = 5_000;

/** Plain values, so sharing them between requests is safe. */
const known = createMemory<{ readonly boards: readonly DefinedBoard[]; readonly untilMs: number }>(1_000);

/** Throws DomainError `unknown-game`, `unknown-board`, or `unavailable`. */
export async function knownDefinition(
  deps: Pick<DefinitionPorts, "definitions"> & Pick<Runtime, "clock">,
  game: string,
  board: string,
): Promise<DefinedBoard> {
  const now = deps.clock.now();
  let found = known.get(game);
  const isDefined = () => found?.boards.some((one) => one.board === board) ?? false;
  if (!found || found.untilMs <= now || !isDefined()) {
    const boards = await orUnavailable(deps.definitions.all(game)).catch((error: unknown) => {
      // Redis goes on answering while Postgres is out.
      if (isDefined() && error instanceof DomainError && error.code === "unavailable") return found?.boards;
      throw error;
    });
    if (!boards) throw unknownGame(game);
    found = { boards, untilMs: now + KNOWN_FOR_MS };
    known.set(game, found);
  }
  const definition = found.boards.find((one) => one.board === board);
  if (!definition) throw unknownBoard(board);
  return definition;
}

/** Reads of this isolate see what a definition changed at once. */
export const dropDefinitions = (game: string): boolean => known.delete(game);
