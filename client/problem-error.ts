import type { FieldError, Problem } from "./types.ts";

const TYPE_PREFIX = "https://edgeboard.dev/problems/";
/** Refusals of the moment: too slow, too early, too many. */
const TRANSIENT = new Set([408, 425, 429]);

/** An answer of the API that is no success: the problem it sent (RFC 9457), or one made from the bare status. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly status: number;
  /** Stable code, the end of the problem's `type`: `not-ranked`, `rate-limited` … `unknown`: the service did not send it. */
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Partial<Problem> & { readonly status: number }) {
    super(`${problem.status} ${problem.title ?? "unexpected answer"}${problem.detail ? `: ${problem.detail}` : ""}`);
    this.status = problem.status;
    this.code = problem.type?.startsWith(TYPE_PREFIX) ? problem.type.slice(TYPE_PREFIX.length) : "unknown";
    this.detail = problem.detail ?? "";
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId;
    this.retryAfterSeconds = problem.retryAfterSeconds;
  }

  /** The service itself refuses the call, and would refuse it again. */
  get final(): boolean {
    return this.code !== "unknown" && this.status >= 400 && this.status < 500 && !TRANSIENT.has(this.status);
  }
}

/** The error of an answer: of a problem as far as its fields are ours, else of the bare status. */
export function problemErrorOf(response: Response, body: unknown): ProblemError {
  const { type, title, detail, requestId, errors, retryAfterSeconds } = isObject(body) ? body : {};
  const waits = [retryAfterSeconds, retryAfter(response.headers)].filter((value) => typeof value === "number");
  return new ProblemError({
    status: response.status,
    ...(typeof type === "string" ? { type } : {}),
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof detail === "string" ? { detail } : {}),
    ...(typeof requestId === "string" ? { requestId } : {}),
    ...(Array.isArray(errors) ? { errors: errors.filter(isFieldError) } : {}),
    ...(waits.length > 0 ? { retryAfterSeconds: Math.max(...waits) } : {}),
  });
}

/** What the service would answer to a call that cannot be sent. */
export function invalidProblem(detail: string): ProblemError {
  return new ProblemError({ status: 422, type: `${TYPE_PREFIX}invalid`, title: "The request is not valid", detail });
}

/** Seconds to wait: a number, or an HTTP date, which is measured on the sender's own clock when it told that. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  // Only text with letters is a date: JavaScript reads "-5" as one, too.
  const atMs = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(atMs)) return undefined;
  const sentMs = Date.parse(headers.get("date") ?? "");
  return Math.max(0, Math.ceil((atMs - (Number.isNaN(sentMs) ? Date.now() : sentMs)) / 1_000));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFieldError(value: unknown): value is FieldError {
  return isObject(value) && typeof value["pointer"] === "string" && typeof value["detail"] === "string";
}
