/** Reads of boards: from Redis while it has them, from Postgres otherwise, with the same answers. */
import type { AroundResponse, PlayersCountResponse, StandingResponse, TopResponse } from "../../contract/boards.ts";
import type { FeedResponse } from "../../contract/feed.ts";
import { DependencyError, DomainError } from "../../domain/errors.ts";
import { percentile } from "../../domain/board/ranking.ts";
import { currentBoard, isOnRedis } from "../../domain/board/time.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { shownPeriod, toBoardEntries } from "./entries.ts";
import { getGame, requireGame } from "../games/games.ts";
import type { BoardPage, BoardPorts, BoardReader, Sourced } from "./ports.ts";
import { labelOf, type Board, type Cursor } from "../../domain/board/board.ts";
import { markBusy } from "../games/active-games.ts";
import { estimatesTooFew, isDamage } from "../healing/inspect.ts";
import { mendLost, type MendDeps } from "../healing/mend.ts";
import { rebuildSoon, type RebuildSoonDeps } from "../healing/rebuild.ts";
import type { z } from "zod";
import { isBehind, noteVersion } from "./seen-versions.ts";
import { generationOf, getTop, setTop } from "./top-cache.ts";
import { looksAgain, subjectOfBoard, type Sight } from "../healing/trust.ts";
import { believed, type Judge, type Live } from "./believed.ts";
import { orUnavailable } from "../or-unavailable.ts";

type ReadDeps = BoardPorts & RebuildSoonDeps & MendDeps;

/** Unknown games are told apart here, and where Redis shows nothing (`requireGame`). */
async function fromHistory<T>(deps: ReadDeps, game: string, read: (reader: BoardReader) => Promise<T>): Promise<T> {
  const reading = Promise.all([read(deps.history), getGame(deps, game)]);
  const [answer] = await orUnavailable(reading, "The board cannot be read right now. Try again shortly.");
  return answer;
}

async function read<T>(
  deps: ReadDeps,
  game: string,
  judge: Judge<T>,
  live: Live<T>,
  history: (reader: BoardReader) => Promise<T>,
): Promise<Sourced<T>> {
  const historical = !isOnRedis(judge.board, deps.clock.now());
  let lost = false;
  if (!historical) {
    try {
      const answer = await believed(deps, game, live, judge);
      if (answer) return { body: answer.found, source: { from: "redis", degraded: false } };
      lost = true;
    } catch (error) {
      if (!(error instanceof DependencyError)) throw error;
      if (isDamage(error)) await mendLost(deps, game);
    }
  }
  const body = await fromHistory(deps, game, history);
  if (lost) {
    rebuildSoon(deps, game);
    deps.background.run("mark-game", () => markBusy(deps, game));
  }
  return { body, source: { from: "postgres", degraded: !historical } };
}

const sightOf = (page: BoardPage | undefined): Sight | undefined =>
  page && { size: page.boardSize, first: page.firstRank === 1 ? page.entries[0]?.points : undefined };

/** Pages from the first place on may be up to a second old; pages behind a cursor are read each time. */
export async function readTop(
  deps: ReadDeps,
  game: string,
  board: Board,
  n: number,
  cursor: string | undefined,
): Promise<Sourced<TopResponse>> {
  if (cursor !== undefined) return readPage(deps, game, board, n, decodeCursor(cursor, board));
  const [generation, page, now] = [generationOf(game), `${labelOf(board)}:${n}`, deps.clock.now()];
  const known = getTop(generation, page, now);
  if (known) return known;
  const answer = await readPage(deps, game, board, n, undefined);
  setTop(generation, page, answer, now);
  return answer;
}

/** A page that Redis has, unless it has less than was shown already. */
async function notBehind<P extends BoardPage | undefined>(
  deps: ReadDeps,
  game: string,
  board: Board,
  reading: Promise<{ readonly found: P } | undefined>,
) {
  const answer = await reading;
  const page = answer?.found;
  return page && page.entries.length > 0 && isBehind(game, board.name, page.version, deps.clock.now())
    ? undefined
    : answer;
}

async function readPage(
  deps: ReadDeps,
  game: string,
  board: Board,
  n: number,
  after: Cursor | undefined,
): Promise<Sourced<TopResponse>> {
  const { body: page, source } = await read(
    deps,
    game,
    { board, sightOf },
    (redis) => notBehind(deps, game, board, redis.top(game, board, n, after)),
    (postgres) => postgres.top(game, board, n, after),
  );
  if (page.entries.length === 0) await requireGame(deps, game);
  const last = page.entries.at(-1);
  const more = last !== undefined && page.firstRank + page.entries.length - 1 < page.boardSize;
  return {
    source,
    body: {
      ...shownPeriod(board, deps.clock.now()),
      country: board.country ?? null,
      boardSize: page.boardSize,
      version: noteVersion(game, board.name, page.version, deps.clock.now()),
      entries: toBoardEntries(page),
      next: more ? encodeCursor(last) : null,
    },
  };
}

/** Throws `unknown-game` instead where that is the reason. */
async function notRanked(deps: ReadDeps, game: string, player: string): Promise<DomainError> {
  await requireGame(deps, game);
  return new DomainError("not-ranked", `The player "${player}" is not on this board.`);
}

function readWindow(deps: ReadDeps, game: string, board: Board, player: string, k: number) {
  return read(
    deps,
    game,
    { board, sightOf },
    (redis) => notBehind(deps, game, board, redis.around(game, board, player, k)),
    (postgres) => postgres.around(game, board, player, k),
  );
}

export async function readStanding(
  deps: ReadDeps,
  game: string,
  board: Board,
  player: string,
): Promise<Sourced<StandingResponse>> {
  const { body: page, source } = await readWindow(deps, game, board, player, 0);
  const entry = page && toBoardEntries(page)[0];
  if (!entry) throw await notRanked(deps, game, player);
  return {
    source,
    body: {
      ...entry,
      ...shownPeriod(board, deps.clock.now()),
      country: board.country ?? null,
      boardSize: page.boardSize,
      percentile: percentile(entry.rank, page.boardSize),
    },
  };
}

export async function readAround(
  deps: ReadDeps,
  game: string,
  board: Board,
  player: string,
  k: number,
): Promise<Sourced<AroundResponse>> {
  const { body: page, source } = await readWindow(deps, game, board, player, k);
  const entries = page ? toBoardEntries(page) : [];
  const entry = entries.find((candidate) => candidate.player === player);
  if (!page || !entry) throw await notRanked(deps, game, player);
  return {
    source,
    body: {
      ...shownPeriod(board, deps.clock.now()),
      country: board.country ?? null,
      boardSize: page.boardSize,
      version: noteVersion(game, board.name, page.version, deps.clock.now()),
      entry,
      entries,
    },
  };
}

const sightOfCount = ({ ranked }: { readonly ranked: number }): Sight => ({ size: ranked, first: undefined });

export async function readPlayersCount(
  deps: ReadDeps,
  game: string,
  board: Board,
): Promise<Sourced<z.infer<typeof PlayersCountResponse>>> {
  const { body, source } = await read(
    deps,
    game,
    { board, sightOf: sightOfCount },
    (redis) => redis.count(game, board),
    (postgres) => postgres.count(game, board),
  );
  if (body.ranked === 0) await requireGame(deps, game);
  const shown = shownPeriod(board, deps.clock.now());
  if (!estimatesTooFew(body.estimate, body.ranked)) return { source, body: { ...shown, ...body } };
  // Every ranked player was counted: the count was lost. A look at what stands beside the boards tells since when.
  await looksAgain(deps, game, { ...subjectOfBoard(board), upkeep: true }, "read");
  return {
    source: { from: "postgres", degraded: true },
    body: { ...shown, estimate: body.ranked, ranked: body.ranked },
  };
}

/** A page of the feed's newest events; what the feed lacks is looked for on the occasion of a week's board. */
export async function readFeed(
  deps: ReadDeps,
  game: string,
  n: number,
  cursor: string | undefined,
): Promise<Sourced<FeedResponse>> {
  const board = currentBoard(deps.clock.now());
  const answer = await read(
    deps,
    game,
    { board, sightOf: () => undefined },
    (redis) => redis.feed(game, n, cursor),
    (postgres) => postgres.feed(game, n, cursor),
  );
  if (answer.body.events.length === 0) await requireGame(deps, game);
  return answer;
}
