/** Review of held submissions, and signing secrets. */
import { createRoute } from "@hono/zod-openapi";
import { HeldQuery, HeldResponse, SigningKeyResponse } from "../../contract/moderation.ts";
import { decideSubmission, listHeld } from "../../services/moderation/moderation.ts";
import { nextSigningKey } from "../../services/access/signing.ts";
import { GameParam, NoQuery } from "../parameters.ts";
import { json, problems } from "../responses.ts";
import { admin, done, SubmissionParam } from "./moderation.ts";
import type { App } from "../app-type.ts";

const held = createRoute({
  ...admin,
  method: "get",
  path: "/v1/games/{game}/held",
  operationId: "listHeld",
  summary: "Submissions that wait for review, oldest first",
  request: { params: GameParam, query: HeldQuery },
  responses: { 200: json(HeldResponse, "A page"), ...problems("unauthorized", "forbidden", "unknown-game") },
});

const decided = { ...done, ...problems("unauthorized", "forbidden", "unknown-game", "not-found") };

const release = createRoute({
  ...admin,
  method: "post",
  path: "/v1/games/{game}/held/{submissionId}/release",
  operationId: "releaseSubmission",
  summary: "Let a held submission count, as of the time it was submitted",
  request: { params: SubmissionParam, query: NoQuery },
  responses: decided,
});

const reject = createRoute({
  ...admin,
  method: "post",
  path: "/v1/games/{game}/held/{submissionId}/reject",
  operationId: "rejectSubmission",
  summary: "Refuse a held submission for good",
  request: { params: SubmissionParam, query: NoQuery },
  responses: decided,
});

const signingKey = createRoute({
  ...admin,
  method: "post",
  path: "/v1/games/{game}/signing-key",
  operationId: "nextSigningKey",
  summary: "Make the next secret for signing submissions",
  description: "The one before it stays good for a day. See docs/signing.md.",
  request: { params: GameParam, query: NoQuery },
  responses: {
    201: json(SigningKeyResponse, "The secret, shown once"),
    ...problems("unauthorized", "forbidden", "unknown-game", "conflict"),
  },
});

export function registerHeld(app: App): void {
  app.openapi(held, async (c) => {
    const { n, cursor } = c.req.valid("query");
    return c.json(await listHeld(c.get("deps"), c.req.valid("param").game, n, cursor), 200);
  });

  app.openapi(release, async (c) => {
    const { game, submissionId } = c.req.valid("param");
    await decideSubmission(c.get("deps"), "ranked", game, submissionId, c.get("caller").name);
    return c.body(null, 204);
  });

  app.openapi(reject, async (c) => {
    const { game, submissionId } = c.req.valid("param");
    await decideSubmission(c.get("deps"), "rejected", game, submissionId, c.get("caller").name);
    return c.body(null, 204);
  });

  app.openapi(signingKey, async (c) => {
    c.header("Cache-Control", "no-store");
    return c.json(await nextSigningKey(c.get("deps"), c.req.valid("param").game, c.get("caller").name), 201);
  });
}
