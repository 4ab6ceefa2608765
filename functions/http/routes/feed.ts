/** GET /v1/games/{game}/feed */
import { createRoute } from "@hono/zod-openapi";
import { FeedQuery, FeedResponse } from "../../contract/feed.ts";
import { readFeed } from "../../services/boards/read-feed.ts";
import { GameParam } from "../parameters.ts";
import { json, problems } from "../responses.ts";
import { setSourceHeaders } from "./boards.ts";
import type { App } from "../app-type.ts";

const route = createRoute({
  method: "get",
  path: "/v1/games/{game}/feed",
  operationId: "feed",
  summary: "The newest submissions",
  request: { params: GameParam, query: FeedQuery },
  responses: { 200: json(FeedResponse, "Events, newest first"), ...problems("unknown-game") },
});

export function registerFeed(app: App): void {
  app.openapi(route, async (c) => {
    const { n, cursor } = c.req.valid("query");
    const { body, source } = await readFeed(c.get("deps"), c.req.valid("param").game, n, cursor);
    setSourceHeaders(c, source);
    return c.json(body, 200);
  });
}
