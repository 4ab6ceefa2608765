/** All checks of an installation, or of one game. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { reasonOf } from "../../local/failure.ts";
import { boardsAt } from "../../functions/domain/board/time.ts";
import { checkBadges, checkUnseen } from "./check-badges.ts";
import { checkBoard } from "./check-boards.ts";
import { checkKeys, checkSharedKeys } from "./check-keys.ts";
import { checkLibrary } from "./check-library.ts";
import { checkSizes } from "./check-sizes.ts";
import { checkMissing, checkFeed, checkGroup, checkPending } from "./check-stream.ts";
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

/** Throws when a store is gone: then no other look would fare better. */
export async function requireStores({ postgres, redis }: Stores): Promise<void> {
  await Promise.all([redis.command(["PING"]), postgres.query(z.unknown(), sql`select 1`)]);
}

/** What a check finds; one that fails is a problem of its own and keeps no other from being made. */
async function guarded(
  stores: Stores,
  game: string,
  what: string,
  check: () => Promise<Problem[]>,
): Promise<Problem[]> {
  try {
    return await check();
  } catch (error) {
    await requireStores(stores);
    const detail = `${what} could not be looked at: ${reasonOf(error)}`;
    return [{ check: "look", game, detail, repair: undefined }];
  }
}

async function examineGame(stores: Stores, game: string, full: boolean): Promise<Problem[]> {
  const deps = toolDeps(stores);
  const look = (what: string, check: () => Promise<Problem[]>) => guarded(stores, game, what, check);
  const found = await look("sizes", () => checkSizes(stores, game));
  // Whatever else is wrong, a damaged key would end the look at it.
  const damaged = await look("keys", () => checkKeys(stores, deps, game));
  if (damaged.length > 0) return [...found, ...damaged];
  const missing = await look("stream", () => checkMissing(stores, deps, game));
  // Whatever else Redis lacks, the rebuild brings.
  if (missing.length > 0) return [...found, ...missing];
  for (const board of boardsAt(deps.clock.now()))
    found.push(...(await look(board.name, () => checkBoard(stores, deps, game, board, full))));
  found.push(
    ...(await look("group", () => checkGroup(stores, game))),
    ...(await look("pending entries", () => checkPending(stores, deps, game))),
    ...(await look("feed", () => checkFeed(stores, game))),
    ...(await look("reconciliation", () => checkUnseen(deps, game))),
    ...(await look("badges", () => checkBadges(deps, game))),
  );
  return found;
}

/** Yields each game's problems, the library's first. */
export async function* examine(stores: Stores, { game, full }: Examination) {
  const library = await checkLibrary(stores);
  yield { game: undefined, problems: [...library, ...(await checkSharedKeys(stores))] };
  // Without the library no board can be read: the games are looked at once it is mended.
  if (library.length > 0) return;
  for (const one of await gamesOf(stores, game)) yield { game: one, problems: await examineGame(stores, one, full) };
}
