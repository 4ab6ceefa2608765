import type { FieldError, Problem } from "./types.ts";

const TYPE_PREFIX = "https://edgeboard.dev/problems/";

/** An answer of the API that is no success: the problem it sent (RFC 9457), or one made from the bare status. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly status: number;
  /** Stable code, the end of the problem's `type`: `not-ranked`, `rate-limited` … */
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

  /** Reads an answer that is not ok. Proxies answer in HTML at times; then the status is all there is. */
  static async from(response: Response): Promise<ProblemError> {
    const header = Number(response.headers.get("retry-after") ?? Number.NaN);
    const retry = Number.isFinite(header) ? { retryAfterSeconds: header } : {};
    const body = await readProblem(response);
    return new ProblemError({ ...retry, ...body, status: response.status });
  }
}

async function readProblem(response: Response): Promise<Partial<Problem>> {
  try {
    const body: unknown = await response.json();
    return isProblem(body) ? body : {};
  } catch {
    return {};
  }
}

function isProblem(body: unknown): body is Partial<Problem> {
  return typeof body === "object" && body !== null && "type" in body && typeof body.type === "string";
}
