/** RFC 9457 problem details: every error of the API. */
import { z } from "zod";

export const PROBLEM_TYPE_PREFIX = "https://edgeboard.dev/problems/";

/** code → status and title. The code is the end of the stable `type` URI. */
export const PROBLEMS = {
  unreadable: { status: 400, title: "The request cannot be read" },
  unauthorized: { status: 401, title: "Credentials are missing or not valid" },
  "bad-signature": { status: 401, title: "The signature is missing or not valid" },
  forbidden: { status: 403, title: "The credentials do not allow this" },
  "player-banned": { status: 403, title: "The player is banned" },
  "player-deleted": { status: 403, title: "The player was deleted" },
  "not-found": { status: 404, title: "There is nothing here" },
  "unknown-game": { status: 404, title: "The game does not exist" },
  "unknown-board": { status: 404, title: "The game has no such board" },
  "not-ranked": { status: 404, title: "The player is not on this board" },
  "method-not-allowed": { status: 405, title: "The method is not allowed here" },
  conflict: { status: 409, title: "The request conflicts with the current state" },
  "submission-removed": { status: 409, title: "The submission was removed" },
  "too-large": { status: 413, title: "The request body is too large" },
  "unsupported-media-type": { status: 415, title: "The request body is of a type that is not taken here" },
  invalid: { status: 422, title: "The request is not valid" },
  "idempotency-conflict": { status: 422, title: "The idempotency key was used with another body" },
  "rate-limited": { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "Something went wrong on our side" },
  misconfigured: { status: 500, title: "The service is not configured" },
  unavailable: { status: 503, title: "The service cannot do this right now" },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

export const FieldError = z
  .object({
    pointer: z
      .string()
      .meta({ description: "JSON pointer, or the name of a header or parameter.", example: "/points" }),
    detail: z.string().meta({ example: "must be an integer" }),
  })
  .meta({ id: "FieldError" });
export type FieldError = z.infer<typeof FieldError>;

export const Problem = z
  .object({
    type: z.string().meta({ example: `${PROBLEM_TYPE_PREFIX}invalid` }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().meta({ description: "urn:uuid of the request." }),
    requestId: z.string(),
    retryAfterSeconds: z.int().optional(),
    errors: z.array(FieldError).optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof Problem>;
