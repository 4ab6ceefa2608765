/** All checks of an installation, or of one game. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { boardsAt } from "../../functions/services/rebuild.ts";
import { checkBadges, checkUnseen } from "./check-badges.ts";
import { checkBoard } from "./check-boards.ts";
import { checkLibrary } from "./check-library.ts";
import { checkSizes } from "./check-sizes.ts";
import { checkCold, checkFeed, checkGroup, checkPending } from "./check-stream.ts";
import type { Problem } from "./problem.ts";
import type { Stores } from "./stores.ts";
import { toolDeps } from "./tool-deps.ts";

export type Examination = {
  readonly game: string | undefined;
  /** Compare every entry, and not only samples of big boards. */
  readonly full: boolean;
};

/** Throws when the one game that was asked for does not exist. */
export async function gamesOf({ postgres }: Stores, only: string | undefined): Promise<string[]> {
  const which = only === undefined ? sql`true` : sql`g.game = ${only}`;
  const rows = await postgres.query(
    z.object({ game: z.string() }),
    sql`select g.game from games g where ${which} order by g.game`,
  );
  if (only !== undefined && rows.length === 0) throw new Error(`there is no game "${only}"`);
  return rows.map(({ game }) => game);
}

async function examineGame(stores: Stores, game: string, full: boolean): Promise<Problem[]> {
  const deps = toolDeps(stores);
  const sizes = await checkSizes(stores, game);
  const cold = await checkCold(stores, deps, game);
  // Whatever else Redis lacks, the rebuild brings.
  if (cold.length > 0) return [...sizes, ...cold];
  const boards: Problem[] = sizes;
  for (const name of boardsAt(deps.clock.now())) boards.push(...(await checkBoard(stores, deps, game, name, full)));
  return [
    ...boards,
    ...(await checkGroup(stores, game)),
    ...(await checkPending(stores, deps, game)),
    ...(await checkFeed(stores, game)),
    ...(await checkUnseen(deps, game)),
    ...(await checkBadges(deps, game)),
  ];
}

/** Yields each game's problems, the library's first. */
export async function* examine(stores: Stores, { game, full }: Examination) {
  const library = await checkLibrary(stores);
  yield { game: undefined, problems: library };
  // Without the library no board can be read: the games are looked at once it is mended.
  if (library.length > 0) return;
  for (const one of await gamesOf(stores, game)) yield { game: one, problems: await examineGame(stores, one, full) };
}
