/** POST /v1/games/{game}/scores */
import { createRoute } from "@hono/zod-openapi";
import { IdempotencyKey } from "../../contract/primitives.ts";
import { ScoreRequest, ScoreResponse, StrictQuery } from "../../contract/scores.ts";
import { DomainError } from "../../domain/errors.ts";
import { checkSubmittedAt } from "../../services/submit/backdate.ts";
import { requirePlayer } from "../../services/access/callers.ts";
import { checkSignature } from "../../services/access/signing.ts";
import { submitTogether } from "../../services/submit/submit-together.ts";
import { requires } from "../middleware/requires.ts";
import { readBody } from "../middleware/body.ts";
import { edgeCountry } from "../edge.ts";
import { GameParam } from "../parameters.ts";
import { json, problems } from "../responses.ts";
import { signedRequest, SignatureHeaders } from "../signature.ts";
import type { App } from "../app-type.ts";

const route = createRoute({
  method: "post",
  path: "/v1/games/{game}/scores",
  operationId: "submitScore",
  summary: "Submit a score",
  description:
    "With a player token, `player` is the token's own and `submittedAt` is not allowed. A game may ask for signatures.",
  security: [{ serverKey: [] }, { playerToken: [] }],
  middleware: [requires("submit", { orPlayer: true }), readBody] as const,
  request: {
    params: GameParam,
    query: StrictQuery,
    headers: SignatureHeaders.extend({ "idempotency-key": IdempotencyKey.optional() }),
    body: { required: true, content: { "application/json": { schema: ScoreRequest } } },
  },
  responses: {
    201: json(ScoreResponse, "Accepted and ranked"),
    200: json(ScoreResponse, "The same key was accepted before; the current standing"),
    202: json(
      ScoreResponse,
      "Accepted and durable; the service ranks it by itself in a moment, or holds it for review",
    ),
    ...problems(
      "unreadable",
      "unauthorized",
      "forbidden",
      "bad-signature",
      "player-banned",
      "player-deleted",
      "submission-removed",
      "rate-limited",
      "unknown-game",
      "too-large",
      "unsupported-media-type",
      "idempotency-conflict",
    ),
  },
});

/** A nonce is the submission's key: it is used up in the statement that writes, and a retry stays safe. */
function keyOf(idempotencyKey: string | undefined, nonce: string | undefined): string {
  if (nonce !== undefined && idempotencyKey !== undefined && nonce !== idempotencyKey) {
    throw new DomainError("invalid", "The nonce of a signed submission is its idempotency key.", {
      errors: [{ pointer: "idempotency-key", detail: "must be left out or equal to Edgeboard-Nonce" }],
    });
  }
  return idempotencyKey ?? nonce ?? crypto.randomUUID();
}

export function registerSubmitScore(app: App): void {
  app.openapi(route, async (c) => {
    const deps = c.get("deps");
    const caller = c.get("caller");
    const body = c.req.valid("json");
    requirePlayer(caller, body.player);
    checkSubmittedAt(caller, body.submittedAt, deps.clock.now());
    const { game } = c.req.valid("param");
    const sent = c.req.valid("header");
    const signed = await signedRequest(c, sent, game, body.player);
    const idempotencyKey = keyOf(sent["idempotency-key"], signed?.nonce);
    const strict = c.req.valid("query").strict === "true";
    const origin = { caller: caller.kind, signingKey: signed && (await checkSignature(deps, signed)), strict };
    // A server key is a game's server: where that stands says nothing of its players' countries.
    const country = caller.kind === "player" ? edgeCountry(c.req.raw) : undefined;
    const submission = { ...body, idempotencyKey, edgeCountry: country };
    const result = await submitTogether(deps, game, submission, origin);
    if (result instanceof DomainError) throw result;
    // Says which key a retry has to carry, the one that the server made included.
    c.header("Idempotency-Key", idempotencyKey);
    c.set("submissionId", result.submissionId);
    if (!result.ranked) return c.json(result, 202);
    return result.replayed ? c.json(result, 200) : c.json(result, 201);
  });
}
