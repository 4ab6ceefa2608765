/** What Redis answers to a read, if it may be believed. */
import { fits, note, looksAgain, subjectOfBoard, trusts, type Sight } from "../healing/trust.ts";
import type { Board } from "../../domain/board/board.ts";
import type { MendDeps } from "../healing/mend.ts";
import type { LiveReader } from "./ports.ts";

/** How an answer of Redis is judged by what this isolate saw before; `undefined`: nothing can be said. */
export type Judge<T> = { readonly board: Board; readonly sightOf: (found: T) => Sight | undefined };

export type Live<T> = (reader: LiveReader) => Promise<{ readonly found: T } | undefined>;

/** What Redis answers, if it may be believed; what it does not have or hold is on its way then. */
export async function believed<T>(deps: MendDeps, game: string, live: Live<T>, { board, sightOf }: Judge<T>) {
  const subject = subjectOfBoard(board);
  const [answer, trusted] = await Promise.all([live(deps.ranking), trusts(deps, game, subject, "read")]);
  if (!answer) return undefined;
  const sight = sightOf(answer.found);
  const fitting = sight === undefined || fits(game, board, sight) || (await looksAgain(deps, game, subject, "read"));
  if (!trusted || !fitting) return undefined;
  if (sight) note(game, board, sight);
  return answer;
}
