/** POST /v1/games/{game}/scores/batch */
import { createRoute } from "@hono/zod-openapi";
import { BatchItem, BatchRequest, BatchResponse } from "../../contract/scores.ts";
import { DomainError } from "../../domain/errors.ts";
import { checkSubmittedAt } from "../../services/submit/backdate.ts";
import type { Caller } from "../../services/access/callers.ts";
import { submitScores, type Submission } from "../../services/submit/submit-scores.ts";
import { requires } from "../middleware/requires.ts";
import { readBody } from "../middleware/body.ts";
import { GameParam, NoQuery } from "../parameters.ts";
import { fieldErrors, toProblem } from "../problem.ts";
import { json, problems } from "../responses.ts";
import type { App } from "../app-type.ts";

const route = createRoute({
  method: "post",
  path: "/v1/games/{game}/scores/batch",
  operationId: "submitBatch",
  summary: "Submit up to 1,000 scores",
  description: "Valid submissions count although others are bad; ranks are those after the whole batch.",
  security: [{ serverKey: [] }],
  middleware: [requires("submit"), readBody] as const,
  request: {
    params: GameParam,
    query: NoQuery,
    body: { required: true, content: { "application/json": { schema: BatchRequest } } },
  },
  responses: {
    200: json(BatchResponse, "Results in order: each the answer of a single submission or its problem"),
    ...problems("unreadable", "unauthorized", "forbidden", "unknown-game", "too-large", "unsupported-media-type"),
  },
});

/** One item, checked: a submission, or why it cannot be one. */
function parseItem(raw: unknown, caller: Caller, nowMs: number): Submission | DomainError {
  const parsed = BatchItem.safeParse(raw);
  if (!parsed.success) {
    return new DomainError("invalid", "This submission is not valid.", {
      errors: fieldErrors(parsed.error.issues, true),
    });
  }
  try {
    checkSubmittedAt(caller, parsed.data.submittedAt, nowMs);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  const { idempotencyKey, ...submission } = parsed.data;
  // The caller is a game server: where it stands says nothing of its players' countries.
  return { ...submission, idempotencyKey: idempotencyKey ?? crypto.randomUUID(), edgeCountry: undefined };
}

export function registerSubmitBatch(app: App): void {
  app.openapi(route, async (c) => {
    const deps = c.get("deps");
    const caller = c.get("caller");
    const items = c.req.valid("json").submissions.map((raw) => parseItem(raw, caller, deps.clock.now()));
    const good = items.filter((item): item is Submission => !(item instanceof DomainError));
    const { game } = c.req.valid("param");
    const outcomes = await submitScores(deps, game, good);
    let next = 0;
    const results = items.map((item) => {
      const result = item instanceof DomainError ? item : outcomes[next++];
      if (!result) throw new Error("no result for a submission");
      return result instanceof DomainError ? toProblem(result, c.get("requestId")) : result;
    });
    return c.json({ results }, 200);
  });
}
