/** POST /v1/games/{game}/scores */
import { createRoute, z } from "@hono/zod-openapi";
import { IdempotencyKey } from "../../contract/primitives.ts";
import { ScoreRequest, ScoreResponse } from "../../contract/scores.ts";
import { DomainError } from "../../domain/errors.ts";
import { checkSubmittedAt } from "../../services/backdate.ts";
import { requireScope } from "../../services/callers.ts";
import { submitScores } from "../../services/submit-scores.ts";
import { authenticated } from "../middleware/authenticated.ts";
import { edgeCountry } from "../edge.ts";
import { GameParam } from "../parameters.ts";
import { json, problems } from "../responses.ts";
import type { App } from "../app-type.ts";

const route = createRoute({
  method: "post",
  path: "/v1/games/{game}/scores",
  operationId: "submitScore",
  summary: "Submit a score",
  security: [{ serverKey: [] }],
  middleware: [authenticated] as const,
  request: {
    params: GameParam,
    headers: z.object({ "idempotency-key": IdempotencyKey.optional() }),
    body: { required: true, content: { "application/json": { schema: ScoreRequest } } },
  },
  responses: {
    201: json(ScoreResponse, "Accepted and ranked"),
    200: json(ScoreResponse, "The same key was accepted before; the current standing"),
    202: json(ScoreResponse, "Accepted and durable; the service ranks it by itself in a moment"),
    ...problems(
      "unreadable",
      "unauthorized",
      "forbidden",
      "player-banned",
      "unknown-game",
      "too-large",
      "unsupported-media-type",
      "idempotency-conflict",
    ),
  },
});

export function registerSubmitScore(app: App): void {
  app.openapi(route, async (c) => {
    const deps = c.get("deps");
    const caller = c.get("caller");
    requireScope(caller, "submit");
    const body = c.req.valid("json");
    checkSubmittedAt(caller, body.submittedAt, deps.clock.now());
    const idempotencyKey = c.req.valid("header")["idempotency-key"] ?? crypto.randomUUID();
    const { game } = c.req.valid("param");
    const [result] = await submitScores(deps, game, [{ ...body, idempotencyKey, edgeCountry: edgeCountry(c.req.raw) }]);
    if (!result || result instanceof DomainError) throw result ?? new Error("no result for a submission");
    // Says which key a retry has to carry, the one that the server made included.
    c.header("Idempotency-Key", idempotencyKey);
    c.set("submissionId", result.submissionId);
    if (!result.ranked) return c.json(result, 202);
    return result.replayed ? c.json(result, 200) : c.json(result, 201);
  });
}
