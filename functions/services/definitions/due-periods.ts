/** Which games need rows of periods now, and writing them. */
import type { CompiledBoard } from "../../domain/board/compiled.ts";
import type { BusyGames } from "../games/active-games.ts";
import { timeIsUp } from "../limits.ts";
import { onePage } from "../page-size.ts";
import type { Runtime } from "../runtime.ts";
import { writeAhead } from "./keep-periods.ts";
import type { DefinitionPorts } from "./ports.ts";

/** Games of one statement: 16 boards of three rows each. */
const PAGE = 100;
/** The list is read this often although nothing seems due: a note that overtook a tick may have been lost. */
const LATEST_MS = 86_400_000;

export type KeptPeriods = { readonly games: number };

/** One page after the other; of a page that takes too long the job ends, and the next run's is shorter. */
const inPages = <T>(work: (n: number) => Promise<T>): Promise<T> => onePage("periods", PAGE, work);

type KeepDeps = Pick<DefinitionPorts, "definitionPages" | "due"> & Pick<Runtime, "clock" | "subrequests">;
type Played = (game: string) => boolean;

async function write(deps: KeepDeps, games: ReadonlyMap<string, readonly CompiledBoard[]>, isPlayed: Played) {
  await deps.due.reset(await writeAhead({ ...deps, definitions: deps.definitionPages }, games, isPlayed));
}

/** Redis has lost the list: every game that defined boards is looked at. True when that was all of them. */
async function writeAll(deps: KeepDeps, isPlayed: Played, deadlineMs: number): Promise<boolean> {
  let after: string | undefined = "";
  while (after !== undefined && !timeIsUp(deps, deadlineMs)) {
    const behind: string = after;
    after = await inPages(async (n) => {
      const games = await deps.definitionPages.ofGames({ after: behind, n });
      if (games.size > 0) await write(deps, games, isPlayed);
      return games.size < n ? undefined : [...games.keys()].at(-1);
    });
  }
  if (after !== undefined) return false;
  await deps.due.whole();
  return true;
}

/** Writes what is due. True when nothing is due any more. */
async function writeDue(deps: KeepDeps, due: readonly string[], isPlayed: Played, deadlineMs: number) {
  for (let from = 0; from < due.length;) {
    if (timeIsUp(deps, deadlineMs)) return false;
    const some = await inPages(async (n) => {
      const page = due.slice(from, from + n);
      const games = await deps.definitionPages.ofGames(page);
      // A game without boards of its own needs no rows any more.
      await write(deps, new Map(page.map((game) => [game, games.get(game) ?? []])), isPlayed);
      return page.length;
    });
    from += some;
  }
  return true;
}

/**
 * Writes the rows that are needed by now. Nothing is asked before the time that comes with the list of busy games, and one command
 * while Redis has the list of what is due; a Redis that lost it costs a statement for a hundred games with boards.
 */
export async function keepPeriods(deps: KeepDeps, list: BusyGames, deadlineMs: number): Promise<KeptPeriods> {
  if (list.dueAtMs !== undefined && list.dueAtMs > deps.clock.now()) return { games: 0 };
  const played = new Set(list.marks.map(({ game }) => game));
  const isPlayed = (game: string) => played.has(game);
  const due = await deps.due.read();
  const done = await (due ? writeDue(deps, due.games, isPlayed, deadlineMs) : writeAll(deps, isPlayed, deadlineMs));
  const now = deps.clock.now();
  const next = done ? (await deps.due.read())?.nextAtMs : now;
  await deps.due.readAgainAt(Math.min(next ?? Number.POSITIVE_INFINITY, now + LATEST_MS));
  return { games: due?.games.length ?? 0 };
}
