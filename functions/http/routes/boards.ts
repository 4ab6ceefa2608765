/** Reads of boards under /v1/games/{game}/boards/{board}. */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  AroundQuery,
  AroundResponse,
  PlayersCountResponse,
  CountryQuery,
  StandingResponse,
  TopQuery,
  TopResponse,
} from "../../contract/boards.ts";
import { readAround, readPlayersCount, readStanding, readTop } from "../../services/boards/read-boards.ts";
import type { HonoEnv } from "../context.ts";
import { BoardParam, BoardPlayerParam, boardAt } from "../parameters.ts";
import { json, problems } from "../responses.ts";
import type { App } from "../app-type.ts";
import type { Source } from "../../services/boards/ports.ts";

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
  responses: { 200: json(TopResponse, "A page of the board"), ...problems("unknown-game") },
});

const standing = createRoute({
  method: "get",
  path: `${BASE}/players/{player}`,
  operationId: "standing",
  summary: "Where a player stands",
  request: { params: BoardPlayerParam, query: CountryQuery },
  responses: { 200: json(StandingResponse, "The player's entry"), ...problems("unknown-game", "not-ranked") },
});

const around = createRoute({
  method: "get",
  path: `${BASE}/around/{player}`,
  operationId: "around",
  summary: "A player and their neighbours",
  request: { params: BoardPlayerParam, query: AroundQuery },
  responses: { 200: json(AroundResponse, "The entries around the player"), ...problems("unknown-game", "not-ranked") },
});

const playersCount = createRoute({
  method: "get",
  path: `${BASE}/players-count`,
  operationId: "playersCount",
  summary: "How many players a board has",
  request: { params: BoardParam, query: CountryQuery },
  responses: { 200: json(PlayersCountResponse, "Estimate and exact number"), ...problems("unknown-game") },
});

export function registerBoards(app: App): void {
  app.openapi(top, async (c) => {
    const { game, board } = c.req.valid("param");
    const { n, country, cursor } = c.req.valid("query");
    const deps = c.get("deps");
    const { body, source } = await readTop(deps, game, boardAt(board, country, deps.clock.now()), n, cursor);
    setSourceHeaders(c, source);
    return c.json(body, 200);
  });

  app.openapi(standing, async (c) => {
    const { game, board, player } = c.req.valid("param");
    const deps = c.get("deps");
    const ref = boardAt(board, c.req.valid("query").country, deps.clock.now());
    const { body, source } = await readStanding(deps, game, ref, player);
    setSourceHeaders(c, source);
    return c.json(body, 200);
  });

  app.openapi(around, async (c) => {
    const { game, board, player } = c.req.valid("param");
    const { k, country } = c.req.valid("query");
    const deps = c.get("deps");
    const { body, source } = await readAround(deps, game, boardAt(board, country, deps.clock.now()), player, k);
    setSourceHeaders(c, source);
    return c.json(body, 200);
  });

  app.openapi(playersCount, async (c) => {
    const { game, board } = c.req.valid("param");
    const deps = c.get("deps");
    const ref = boardAt(board, c.req.valid("query").country, deps.clock.now());
    const { body, source } = await readPlayersCount(deps, game, ref);
    setSourceHeaders(c, source);
    return c.json(body, 200);
  });
}
