/** PUT and GET /v1/games/{game} */
import { createRoute } from "@hono/zod-openapi";
import { GameRequest, GameResponse } from "../../contract/games.ts";
import { getGame, putGame } from "../../services/games/games.ts";
import { authenticated, requires } from "../middleware/requires.ts";
import { readBody } from "../middleware/body.ts";
import { GameParam, NoQuery } from "../parameters.ts";
import { json, problems } from "../responses.ts";
import type { App } from "../app-type.ts";

const read = createRoute({
  method: "get",
  path: "/v1/games/{game}",
  operationId: "getGame",
  summary: "A game's configuration",
  request: { params: GameParam, query: NoQuery },
  responses: { 200: json(GameResponse, "The configuration"), ...problems("unknown-game") },
});

const write = createRoute({
  method: "put",
  path: "/v1/games/{game}",
  operationId: "putGame",
  summary: "Create or configure a game",
  description: "Replaces the configuration: a field that is left out gets its default.",
  security: [{ serverKey: [] }],
  middleware: [requires("admin"), readBody] as const,
  request: {
    params: GameParam,
    query: NoQuery,
    body: { required: true, content: { "application/json": { schema: GameRequest } } },
  },
  responses: {
    200: json(GameResponse, "Changed"),
    201: json(GameResponse, "Created"),
    ...problems("unreadable", "unauthorized", "forbidden", "too-large", "unsupported-media-type"),
  },
});

export function registerGames(app: App): void {
  app.openapi(read, async (c) => {
    const { game } = c.req.valid("param");
    const { maxImprovement, ...shown } = await getGame(c.get("deps"), game);
    const found = await authenticated(c);
    const isAdmin = "caller" in found && found.caller.scopes.has("admin") && (found.caller.games?.has(game) ?? true);
    return c.json({ game, ...shown, ...(isAdmin ? { maxImprovement } : {}) }, 200);
  });

  app.openapi(write, async (c) => {
    const { game } = c.req.valid("param");
    const { defaultBoards: _, ...config } = c.req.valid("json");
    const created = await putGame(c.get("deps"), game, config);
    return c.json({ game, ...config }, created ? 201 : 200);
  });
}
