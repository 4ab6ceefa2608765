/** GET /v1/games/{game}/players/{player}/badges */
import { createRoute } from "@hono/zod-openapi";
import { BadgesResponse } from "../../contract/players.ts";
import { getGame, readBadges } from "../../services/games/games.ts";
import { NoQuery, PlayerParam } from "../parameters.ts";
import { json, problems } from "../responses.ts";
import type { App } from "../app-type.ts";

const badges = createRoute({
  method: "get",
  path: "/v1/games/{game}/players/{player}/badges",
  operationId: "badges",
  summary: "A player's badges",
  request: { params: PlayerParam, query: NoQuery },
  responses: { 200: json(BadgesResponse, "Badges, lowest threshold first"), ...problems("unknown-game") },
});

export function registerPlayers(app: App): void {
  app.openapi(badges, async (c) => {
    const { game, player } = c.req.valid("param");
    const [body] = await Promise.all([readBadges(c.get("deps"), game, player), getGame(c.get("deps"), game)]);
    return c.json(body, 200);
  });
}
