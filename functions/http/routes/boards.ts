/** Reads of boards under /v1/games/{game}/boards/{board}. */
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  AroundQuery,
  AroundResponse,
  PlayersCountResponse,
  PartQuery,
  StandingResponse,
  TopQuery,
  TopResponse,
} from "../../contract/boards.ts";
import {
  DefinedAroundResponse,
  DefinedCountResponse,
  DefinedStandingResponse,
  DefinedTopResponse,
} from "../../contract/board-reads.ts";
import { boardOfEveryGame, type DefaultToRead } from "../../services/boards/board-to-read.ts";
import { definedBoard, type DefinedToRead } from "../../services/boards/defined-board.ts";
import { readAround, readPlayersCount, readStanding, readTop } from "../../services/boards/read-boards.ts";
import type { HonoEnv } from "../context.ts";
import { BoardParam, BoardPlayerParam, boardAt, refOf, type PartOfBoard } from "../parameters.ts";
import { json, problems } from "../responses.ts";
import type { App } from "../app-type.ts";
import type { Source, Sourced } from "../../services/boards/ports.ts";

const BASE = "/v1/games/{game}/boards/{board}";

/** Says where an answer came from, and whether that is because of an outage. */
export function setSourceHeaders(c: Context<HonoEnv>, source: Source): void {
  c.header("Edgeboard-Source", source.from);
  if (source.degraded) c.header("Edgeboard-Degraded", "true");
}

const top = createRoute({
  method: "get",
  path: `${BASE}/top`,
  operationId: "top",
  summary: "The first places of a board, page by page",
  request: { params: BoardParam, query: TopQuery },
  responses: {
    200: json(z.union([TopResponse, DefinedTopResponse]), "A page of the board"),
    ...problems("unknown-game", "unknown-board"),
  },
});

const standing = createRoute({
  method: "get",
  path: `${BASE}/players/{player}`,
  operationId: "standing",
  summary: "Where a player stands",
  request: { params: BoardPlayerParam, query: PartQuery },
  responses: {
    200: json(z.union([StandingResponse, DefinedStandingResponse]), "The player's entry"),
    ...problems("unknown-game", "unknown-board", "not-ranked"),
  },
});

const around = createRoute({
  method: "get",
  path: `${BASE}/around/{player}`,
  operationId: "around",
  summary: "A player and their neighbours",
  request: { params: BoardPlayerParam, query: AroundQuery },
  responses: {
    200: json(z.union([AroundResponse, DefinedAroundResponse]), "The entries around the player"),
    ...problems("unknown-game", "unknown-board", "not-ranked"),
  },
});

const playersCount = createRoute({
  method: "get",
  path: `${BASE}/players-count`,
  operationId: "playersCount",
  summary: "How many players a board has",
  request: { params: BoardParam, query: PartQuery },
  responses: {
    200: json(z.union([PlayersCountResponse, DefinedCountResponse]), "Estimate and exact number"),
    ...problems("unknown-game", "unknown-board"),
  },
});

/** Reads the board that path and query name: one that the game defined, or one of every game. */
async function read<Defined extends object, Default extends object>(
  c: Context<HonoEnv>,
  { game, board }: { readonly game: string; readonly board: string },
  part: PartOfBoard,
  defined: (board: DefinedToRead) => Promise<Sourced<Defined>>,
  ofEveryGame: (board: DefaultToRead) => Promise<Sourced<Default>>,
): Promise<Defined | Default> {
  const deps = c.get("deps");
  const ref = refOf(board);
  const { body, source } =
    ref.kind === "defined"
      ? await defined(await definedBoard(deps, game, ref, part.segment, part.country))
      : await ofEveryGame(boardOfEveryGame(deps, boardAt(ref.name, part, deps.clock.now())));
  setSourceHeaders(c, source);
  return body;
}

export function registerBoards(app: App): void {
  app.openapi(top, async (c) => {
    const [deps, param, query] = [c.get("deps"), c.req.valid("param"), c.req.valid("query")];
    const { n, cursor } = query;
    const body = await read(
      c,
      param,
      query,
      (board) => readTop(deps, param.game, board, n, cursor),
      (board) => readTop(deps, param.game, board, n, cursor),
    );
    return c.json(body, 200);
  });

  app.openapi(standing, async (c) => {
    const [deps, param] = [c.get("deps"), c.req.valid("param")];
    const body = await read(
      c,
      param,
      c.req.valid("query"),
      (board) => readStanding(deps, param.game, board, param.player),
      (board) => readStanding(deps, param.game, board, param.player),
    );
    return c.json(body, 200);
  });

  app.openapi(around, async (c) => {
    const [deps, param, query] = [c.get("deps"), c.req.valid("param"), c.req.valid("query")];
    const body = await read(
      c,
      param,
      query,
      (board) => readAround(deps, param.game, board, param.player, query.k),
      (board) => readAround(deps, param.game, board, param.player, query.k),
    );
    return c.json(body, 200);
  });

  app.openapi(playersCount, async (c) => {
    const [deps, param] = [c.get("deps"), c.req.valid("param")];
    const body = await read(
      c,
      param,
      c.req.valid("query"),
      (board) => readPlayersCount(deps, param.game, board),
      (board) => readPlayersCount(deps, param.game, board),
    );
    return c.json(body, 200);
  });
}
