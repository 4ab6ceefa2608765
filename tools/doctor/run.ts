/** One visit of the doctor: look, mend if asked to, look again. */
import { reasonOf } from "../../local/failure.ts";
import { examine, type Examination } from "./examine.ts";
import type { Problem } from "./problem.ts";
import type { Stores } from "./stores.ts";

export type Visit = Examination & { readonly repair: boolean };

export type Outcome = {
  /** Everything that was found, mended or not. */
  readonly found: readonly Problem[];
  /** What is still wrong. */
  readonly left: readonly Problem[];
};

/** Mending one thing may open the view on another (the library on the boards), so there are several rounds. */
const ROUNDS = 3;

export const sentence = ({ check, game, board, detail }: Problem): string =>
  `${[game ?? "all games", board].filter(Boolean).join(" ")}: ${check}: ${detail}`;

async function look(stores: Stores, visit: Visit, say: (line: string) => void): Promise<Problem[]> {
  const found: Problem[] = [];
  for await (const { game, problems } of examine(stores, visit)) {
    if (game !== undefined && problems.length === 0) say(`${game}: all is well`);
    for (const problem of problems) say(sentence(problem));
    found.push(...problems);
  }
  return found;
}

async function mend(problems: readonly Problem[], say: (line: string) => void): Promise<void> {
  for (const problem of problems) {
    if (!problem.repair) continue;
    say(`mending ${sentence(problem)}`);
    // The next look says whether it is still there; others are mended meanwhile.
    await problem.repair().catch((error: unknown) => say(`could not mend it: ${reasonOf(error)}`));
  }
}

export async function visit(stores: Stores, options: Visit, say: (line: string) => void): Promise<Outcome> {
  let left = await look(stores, options, say);
  const found = new Map(left.map((problem) => [sentence(problem), problem]));
  for (let round = 0; options.repair && left.length > 0 && round < ROUNDS; round += 1) {
    await mend(left, say);
    left = await look(stores, options, say);
    for (const problem of left) found.set(sentence(problem), problem);
  }
  return { found: [...found.values()], left };
}
