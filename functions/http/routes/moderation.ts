/** What moderators do: /v1/games/{game}/players/{player}, …/ban, …/export and /v1/games/{game}/submissions/{id} */
import { createRoute, z } from "@hono/zod-openapi";
import { BanNoted, ExportQuery, PlayerExport, SubmissionId } from "../../contract/moderation.ts";
import { Game } from "../../contract/primitives.ts";
import { banPlayer, decideSubmission, exportPlayer, moderatePlayer } from "../../services/moderation/moderation.ts";
import { requires } from "../middleware/requires.ts";
import { NoQuery, PlayerParam } from "../parameters.ts";
import { json, problems } from "../responses.ts";
import type { App } from "../app-type.ts";

export const SubmissionParam = z.object({ game: Game, submissionId: SubmissionId });

const security: Record<string, string[]>[] = [{ serverKey: [] }];

/** What every route of an administrator shares. */
export const admin = {
  tags: ["Moderation"],
  security,
  middleware: requires("admin"),
};
export const done = {
  204: { description: "Done, in Postgres and, while it answers, in Redis" },
  ...problems("unauthorized", "forbidden", "unknown-game"),
};

const ban = createRoute({
  ...admin,
  method: "put",
  path: "/v1/games/{game}/players/{player}/ban",
  operationId: "banPlayer",
  summary: "Ban a player",
  description:
    "Takes them off every board, the feed and their badges, and refuses what they submit. A player of whom the game has no " +
    "submission can be banned too: 202 says that the ban waits for them, or that the id is mistyped.",
  request: { params: PlayerParam, query: NoQuery },
  responses: { ...done, 202: json(BanNoted, "Noted; the game does not know this player yet") },
});

const unban = createRoute({
  ...admin,
  method: "delete",
  path: "/v1/games/{game}/players/{player}/ban",
  operationId: "unbanPlayer",
  summary: "Lift a ban",
  description: "Restores the player's bests with the times they were reached; the feed's past does not come back.",
  request: { params: PlayerParam, query: NoQuery },
  responses: done,
});

const deletePlayer = createRoute({
  ...admin,
  method: "delete",
  path: "/v1/games/{game}/players/{player}",
  operationId: "deletePlayer",
  summary: "Delete a player for good",
  description:
    "Deletes everything that is stored about them. For a day, submissions for this id are refused with " +
    "`player-deleted`, so that retries and offline queues do not bring them back.",
  request: { params: PlayerParam, query: NoQuery },
  responses: done,
});

const exportRoute = createRoute({
  ...admin,
  method: "get",
  path: "/v1/games/{game}/players/{player}/export",
  operationId: "exportPlayer",
  summary: "Everything that is stored about a player",
  request: { params: PlayerParam, query: ExportQuery },
  responses: {
    200: json(PlayerExport, "The player's data; submissions page by page"),
    ...problems("unauthorized", "forbidden", "unknown-game", "not-found"),
  },
});

const removeSubmission = createRoute({
  ...admin,
  method: "delete",
  path: "/v1/games/{game}/submissions/{submissionId}",
  operationId: "removeSubmission",
  summary: "Take a submission back",
  description: "The player's next best takes its place. Its idempotency key stays used.",
  request: { params: SubmissionParam, query: NoQuery },
  responses: { ...done, ...problems("unauthorized", "forbidden", "unknown-game", "not-found") },
});

export function registerModeration(app: App): void {
  app.openapi(ban, async (c) => {
    const { game, player } = c.req.valid("param");
    if (await banPlayer(c.get("deps"), game, player, c.get("caller").name)) return c.body(null, 204);
    const detail = "The game has no submission of this player. The ban is noted and refuses their first one.";
    return c.json({ player, known: false as const, detail }, 202);
  });

  app.openapi(unban, async (c) => {
    const { game, player } = c.req.valid("param");
    await moderatePlayer(c.get("deps"), "unban", game, player, c.get("caller").name);
    return c.body(null, 204);
  });

  app.openapi(deletePlayer, async (c) => {
    const { game, player } = c.req.valid("param");
    await moderatePlayer(c.get("deps"), "deletePlayer", game, player, c.get("caller").name);
    return c.body(null, 204);
  });

  app.openapi(exportRoute, async (c) => {
    const { game, player } = c.req.valid("param");
    return c.json(await exportPlayer(c.get("deps"), game, player, c.req.valid("query").cursor), 200);
  });

  app.openapi(removeSubmission, async (c) => {
    const { game, submissionId } = c.req.valid("param");
    await decideSubmission(c.get("deps"), "removed", game, submissionId, c.get("caller").name);
    return c.body(null, 204);
  });
}
