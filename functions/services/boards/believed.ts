/** What Redis answers to a read, if it may be believed. */
import { fits, looksAgain, note, trusts, type Sight } from "../healing/trust.ts";
import type { MendDeps } from "../healing/mend.ts";
import type { BoardToRead } from "./board-to-read.ts";

/** How an answer of Redis is judged by what this isolate saw before; `undefined`: nothing can be said. */
export type Judge<T> = {
  readonly of: Pick<BoardToRead<unknown, object, unknown>, "labelled" | "subject" | "isKept">;
  readonly sightOf: (found: T) => Sight | undefined;
};

export type Live<T> = () => Promise<{ readonly found: T } | undefined>;

/** What Redis answers, if it may be believed; what it does not have or hold is on its way then. */
export async function believed<T>(deps: MendDeps, game: string, live: Live<T>, { of, sightOf }: Judge<T>) {
  const subject = of.subject();
  const [answer, trusted] = await Promise.all([live(), trusts(deps, game, subject, "read")]);
  if (!answer) return undefined;
  const sight = sightOf(answer.found);
  const fitting =
    sight === undefined || fits(game, of.labelled, sight) || (await looksAgain(deps, game, subject, "read"));
  if (!trusted || !fitting) return undefined;
  if (sight) note(game, of.labelled, sight);
  return answer;
}
