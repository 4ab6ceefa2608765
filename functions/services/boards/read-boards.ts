/** Reads of boards: from Redis while it has them, from Postgres otherwise, with the same answers. */
import { DomainError } from "../../domain/errors.ts";
import { percentile } from "../../domain/board/ranking.ts";
import { labelOf, type Cursor } from "../../domain/board/board.ts";
import { requireGame } from "../games/games.ts";
import { estimatesTooFew } from "../healing/inspect.ts";
import { looksAgain, type Sight } from "../healing/trust.ts";
import type { BoardToRead } from "./board-to-read.ts";
import { encodeCursor } from "./cursor.ts";
import type { BoardPage, Sourced } from "./ports.ts";
import { read, type ReadDeps } from "./reading.ts";
import { isBehind, noteVersion } from "./seen-versions.ts";
import type { TopOf } from "./top-cache.ts";

/** An entry as an answer shows it. */
type Placed = { readonly player: string; readonly rank: number };

const sightOf = (page: BoardPage | undefined): Sight | undefined =>
  page && { size: page.boardSize, first: page.firstRank === 1 ? page.entries[0]?.points : undefined };

/** A page that Redis has, unless it has less than was shown already. */
async function notBehind<P extends BoardPage | undefined>(
  deps: ReadDeps,
  game: string,
  name: string,
  reading: Promise<{ readonly found: P } | undefined>,
) {
  const answer = await reading;
  const page = answer?.found;
  return page && page.entries.length > 0 && isBehind(game, name, page.version, deps.clock.now()) ? undefined : answer;
}

async function readPage<B, Head extends object, E extends Placed>(
  deps: ReadDeps,
  game: string,
  of: BoardToRead<B, Head, E>,
  n: number,
  after: Cursor | undefined,
): Promise<Sourced<TopOf<Head, E>>> {
  const { body: page, source } = await read(
    deps,
    game,
    { of, sightOf },
    () => notBehind(deps, game, of.labelled.name, of.live.top(game, of.board, n, after)),
    () => of.history.top(game, of.board, n, after),
  );
  if (page.entries.length === 0) await requireGame(deps, game);
  const last = page.entries.at(-1);
  const more = last !== undefined && page.firstRank + page.entries.length - 1 < page.boardSize;
  return {
    source,
    body: {
      ...of.head(),
      boardSize: page.boardSize,
      version: noteVersion(game, of.labelled.name, page.version, deps.clock.now()),
      entries: of.toEntries(page),
      next: more ? encodeCursor(last) : null,
    },
  };
}

/** Pages from the first place on may be up to a second old; pages behind a cursor are read each time. */
export async function readTop<B, Head extends object, E extends Placed>(
  deps: ReadDeps,
  game: string,
  of: BoardToRead<B, Head, E>,
  n: number,
  cursor: string | undefined,
): Promise<Sourced<TopOf<Head, E>>> {
  if (cursor !== undefined) return readPage(deps, game, of, n, of.decode(cursor));
  const [generation, page, now] = [of.generation(game), `${labelOf(of.labelled)}:${n}`, deps.clock.now()];
  const known = of.tops.get(generation, page, now);
  if (known) return known;
  const answer = await readPage(deps, game, of, n, undefined);
  of.tops.set(generation, page, answer, now);
  return answer;
}

/** Throws `unknown-game` instead where that is the reason. */
async function notRanked(deps: ReadDeps, game: string, player: string): Promise<DomainError> {
  await requireGame(deps, game);
  return new DomainError("not-ranked", `The player "${player}" is not on this board.`);
}

function readWindow<B, Head extends object, E extends Placed>(
  deps: ReadDeps,
  game: string,
  of: BoardToRead<B, Head, E>,
  player: string,
  k: number,
) {
  return read(
    deps,
    game,
    { of, sightOf },
    () => notBehind(deps, game, of.labelled.name, of.live.around(game, of.board, player, k)),
    () => of.history.around(game, of.board, player, k),
  );
}

/** A player's entry. Throws DomainError `not-ranked`. */
export async function readStanding<B, Head extends object, E extends Placed>(
  deps: ReadDeps,
  game: string,
  of: BoardToRead<B, Head, E>,
  player: string,
) {
  const { body: page, source } = await readWindow(deps, game, of, player, 0);
  const entry = page && of.toEntries(page)[0];
  if (!entry) throw await notRanked(deps, game, player);
  const { boardSize } = page;
  return { source, body: { ...entry, ...of.head(), boardSize, percentile: percentile(entry.rank, boardSize) } };
}

/** The player's entry and up to `k` on each side. Throws DomainError `not-ranked`. */
export async function readAround<B, Head extends object, E extends Placed>(
  deps: ReadDeps,
  game: string,
  of: BoardToRead<B, Head, E>,
  player: string,
  k: number,
) {
  const { body: page, source } = await readWindow(deps, game, of, player, k);
  const entries = page ? of.toEntries(page) : [];
  const entry = entries.find((candidate) => candidate.player === player);
  if (!page || !entry) throw await notRanked(deps, game, player);
  const version = noteVersion(game, of.labelled.name, page.version, deps.clock.now());
  return { source, body: { ...of.head(), boardSize: page.boardSize, version, entry, entries } };
}

const sightOfCount = ({ ranked }: { readonly ranked: number }): Sight => ({ size: ranked, first: undefined });

/** How many players the board has. */
export async function readPlayersCount<B, Head extends object, E>(
  deps: ReadDeps,
  game: string,
  of: BoardToRead<B, Head, E>,
) {
  const { body, source } = await read(
    deps,
    game,
    { of, sightOf: sightOfCount },
    () => of.live.count(game, of.board),
    () => of.history.count(game, of.board),
  );
  if (body.ranked === 0) await requireGame(deps, game);
  if (!estimatesTooFew(body.estimate, body.ranked)) return { source, body: { ...of.head(), ...body } };
  // Every ranked player was counted: the count was lost. A look at what stands beside the boards tells since when.
  await looksAgain(deps, game, { ...of.subject(), upkeep: true }, "read");
  return {
    source: { from: "postgres" as const, degraded: true },
    body: { ...of.head(), estimate: body.ranked, ranked: body.ranked },
  };
}
