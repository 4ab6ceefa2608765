/** GET /v1/games/{game}/live */
import { createRoute } from "@hono/zod-openapi";
import { LiveResponse, roomOf } from "../../contract/live.ts";
import { currentBoard, resetsAt } from "../../domain/board/time.ts";
import { shardsToWatch } from "../../services/live/shards.ts";
import { GameParam, NoQuery } from "../parameters.ts";
import { json, problems } from "../responses.ts";
import type { App } from "../app-type.ts";

const route = createRoute({
  method: "get",
  path: "/v1/games/{game}/live",
  operationId: "live",
  summary: "Where to watch the current week live",
  request: { params: GameParam, query: NoQuery },
  responses: { 200: json(LiveResponse, "The room of the current week"), ...problems("unknown-game") },
});

export function registerLive(app: App): void {
  app.openapi(route, async (c) => {
    const deps = c.get("deps");
    const { game } = c.req.valid("param");
    const board = currentBoard(deps.clock.now());
    const week = board.name;
    // Shard 0 is the room without a number, the one that passes boards on to the others.
    const shard = Math.floor(Math.random() * (await shardsToWatch(deps, game)));
    const room = roomOf(game, week, shard || undefined);
    const url = `${deps.partyUrl.replace(/^http/, "ws")}/parties/main/${room}`;
    return c.json({ week, room, url, resetsAt: resetsAt(board) }, 200);
  });
}
