/** A game's boards under /v1/games/{game}/boards: their definitions and periods. */
import { createRoute, z } from "@hono/zod-openapi";
import { BoardDefinition, BoardId } from "../../contract/board-definitions.ts";
import {
  BoardResponse,
  BoardsResponse,
  DeleteBoardQuery,
  KnownBoardId,
  PeriodsQuery,
  PeriodsResponse,
} from "../../contract/defined-boards.ts";
import { Game } from "../../contract/primitives.ts";
import { deleteBoard, putBoard } from "../../services/definitions/define-board.ts";
import { getBoard, listBoards, listPeriods, shown } from "../../services/definitions/read-definitions.ts";
import { readBody } from "../middleware/body.ts";
import { requires } from "../middleware/requires.ts";
import { GameParam, NoQuery } from "../parameters.ts";
import { json, problems } from "../responses.ts";
import type { App } from "../app-type.ts";

const BASE = "/v1/games/{game}/boards";
const security: Record<string, string[]>[] = [{ serverKey: [] }];
const of = <T extends z.ZodType>(board: T) => z.object({ game: Game, board });

const list = createRoute({
  method: "get",
  path: BASE,
  operationId: "listBoards",
  summary: "The boards of a game",
  description: "Those of every game come first and are marked with `default`.",
  request: { params: GameParam, query: NoQuery },
  responses: { 200: json(BoardsResponse, "Every board with its definition"), ...problems("unknown-game") },
});

const read = createRoute({
  method: "get",
  path: `${BASE}/{board}`,
  operationId: "getBoard",
  summary: "A board's definition",
  request: { params: of(KnownBoardId), query: NoQuery },
  responses: { 200: json(BoardResponse, "The definition"), ...problems("unknown-game", "unknown-board") },
});

const write = createRoute({
  method: "put",
  path: `${BASE}/{board}`,
  operationId: "putBoard",
  summary: "Define a board, or change its definition",
  description:
    "Replaces the definition: a field that is left out gets its default. What entries depend on (`statistic`, `parts`, `order`, " +
    "`aggregation`, `value`, `tie`, `keyed`) is fixed once the board has an entry. Another `schedule` or `graceSeconds` holds from " +
    "the next period on, everything else at once. A game defines at most 16 boards.",
  security,
  middleware: [requires("admin"), readBody] as const,
  request: {
    params: of(BoardId),
    query: NoQuery,
    body: { required: true, content: { "application/json": { schema: BoardDefinition } } },
  },
  responses: {
    200: json(BoardResponse, "Changed"),
    201: json(BoardResponse, "Defined"),
    ...problems(
      "unreadable",
      "unauthorized",
      "forbidden",
      "unknown-game",
      "conflict",
      "too-large",
      "unsupported-media-type",
    ),
  },
});

const remove = createRoute({
  method: "delete",
  path: `${BASE}/{board}`,
  operationId: "deleteBoard",
  summary: "Delete a board",
  description: "Submissions and reads know it no more; its rows stay in Postgres, and its id may be defined anew.",
  security,
  middleware: requires("admin"),
  request: { params: of(BoardId), query: DeleteBoardQuery },
  responses: {
    204: { description: "Deleted" },
    ...problems("unauthorized", "forbidden", "unknown-game", "unknown-board", "conflict"),
  },
});

const periods = createRoute({
  method: "get",
  path: `${BASE}/{board}/periods`,
  operationId: "listPeriods",
  summary: "The periods of a board",
  description: "From the one that holds `from` on, also those that have no submission yet.",
  request: { params: of(KnownBoardId), query: PeriodsQuery },
  responses: { 200: json(PeriodsResponse, "The periods in order"), ...problems("unknown-game", "unknown-board") },
});

export function registerDefinitions(app: App): void {
  app.openapi(list, async (c) => c.json(await listBoards(c.get("deps"), c.req.valid("param").game), 200));

  app.openapi(read, async (c) => {
    const { game, board } = c.req.valid("param");
    return c.json(await getBoard(c.get("deps"), game, board), 200);
  });

  app.openapi(write, async (c) => {
    const { game, board } = c.req.valid("param");
    const rule = c.req.valid("json");
    const { created, createdAtMs } = await putBoard(c.get("deps"), game, board, rule);
    return c.json(shown(board, rule, createdAtMs), created ? 201 : 200);
  });

  app.openapi(remove, async (c) => {
    const { game, board } = c.req.valid("param");
    await deleteBoard(c.get("deps"), game, board, c.req.valid("query").now === "true");
    return c.body(null, 204);
  });

  app.openapi(periods, async (c) => {
    const { game, board } = c.req.valid("param");
    const { from, n } = c.req.valid("query");
    const fromMs = from === undefined ? undefined : Date.parse(from);
    return c.json(await listPeriods(c.get("deps"), game, board, fromMs, n), 200);
  });
}
