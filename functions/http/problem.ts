/** Turns failures into RFC 9457 problem+json. Depends on nothing that may have failed to start. */
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { PROBLEM_TYPE_PREFIX, PROBLEMS, type FieldError, type Problem } from "../contract/problem.ts";
import { DomainError } from "../domain/errors.ts";
import { EnvError } from "../env.ts";
import { log } from "../log.ts";
import type { HonoEnv } from "./context.ts";

/** The problem document of an error, for a response or for an item of a batch. */
export function toProblem(error: DomainError, requestId: string): Problem {
  const { status, title } = PROBLEMS[error.code];
  return {
    type: PROBLEM_TYPE_PREFIX + error.code,
    title,
    status,
    detail: error.message,
    instance: `urn:uuid:${requestId}`,
    requestId,
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    ...(error.errors === undefined ? {} : { errors: [...error.errors] }),
  };
}

export function problemResponse(c: Context<HonoEnv>, error: DomainError): Response {
  const problem = toProblem(error, c.get("requestId"));
  if (error.retryAfterSeconds !== undefined) c.header("Retry-After", String(error.retryAfterSeconds));
  if (problem.status === 401) c.header("WWW-Authenticate", 'Bearer realm="edgeboard"');
  return c.body(JSON.stringify(problem), PROBLEMS[error.code].status, { "content-type": "application/problem+json" });
}

const JSON_POINTER_ESCAPES = { "~": "~0", "/": "~1" } as const;

/** `/submissions/3/points` for bodies, the plain name for parameters and headers. */
export function pointerOf(path: readonly PropertyKey[], inBody: boolean): string {
  const parts = path.map((part) =>
    String(part).replace(/[~/]/g, (c) => (c === "~" ? JSON_POINTER_ESCAPES["~"] : JSON_POINTER_ESCAPES["/"])),
  );
  return inBody ? parts.map((part) => `/${part}`).join("") : parts.join("/");
}

type Issue = {
  readonly path: PropertyKey[];
  readonly message: string;
  readonly code: string;
  readonly keys?: string[];
};

/** zod issues as field errors; an unknown field is pointed at itself. */
export function fieldErrors(issues: readonly Issue[], inBody: boolean): FieldError[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" && issue.keys
      ? issue.keys.map((key) => ({
          pointer: pointerOf([...issue.path, key], inBody),
          detail: inBody ? "is not a known field" : "is not a parameter of this route",
        }))
      : [{ pointer: pointerOf(issue.path, inBody), detail: issue.message }],
  );
}

function fromHttpException(error: HTTPException): DomainError {
  switch (error.status) {
    case 400:
      return new DomainError("unreadable", "The request body is not valid JSON.");
    case 413:
      return new DomainError("too-large", "The request body is larger than this route takes.");
    case 415:
      return new DomainError("unsupported-media-type", "Send the body as `Content-Type: application/json`.");
    default:
      return new DomainError("internal", "The request could not be completed.", { cause: error });
  }
}

/** Hono's onError. Unknown errors give a fixed sentence; the log has their name. */
export function onError(error: Error, c: Context<HonoEnv>): Response {
  if (error instanceof DomainError) {
    c.set("outcome", error.code);
    return problemResponse(c, error);
  }
  if (error instanceof HTTPException) {
    const known = fromHttpException(error);
    c.set("outcome", known.code);
    return problemResponse(c, known);
  }
  if (error instanceof EnvError) {
    c.set("outcome", "misconfigured");
    log("error", "misconfigured", { requestId: c.get("requestId"), variables: error.variables.join(" ") });
    return problemResponse(c, new DomainError("misconfigured", "The service is not configured; its log says what."));
  }
  c.set("outcome", "internal");
  log("error", "unexpected", {
    requestId: c.get("requestId"),
    name: error.name,
    message: error.message.slice(0, 200),
    stack: error.stack?.slice(0, 1500),
  });
  return problemResponse(c, new DomainError("internal", "Something went wrong on our side. Try again later."));
}
