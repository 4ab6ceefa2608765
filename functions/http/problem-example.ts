/** An example of a problem document, for the OpenAPI document. */
import { PROBLEM_TYPE_PREFIX, PROBLEMS, type Problem, type ProblemCode } from "../contract/problem.ts";

const REQUEST = "5f0c7b0e-3f57-4c39-9d1a-7c1f6f2c9a10";

const RETRY_SECONDS: Partial<Record<ProblemCode, number>> = { "rate-limited": 42, unavailable: 1 };

export function problemExample(code: ProblemCode): Problem {
  const { status, title } = PROBLEMS[code];
  const retryAfterSeconds = RETRY_SECONDS[code];
  return {
    type: PROBLEM_TYPE_PREFIX + code,
    title,
    status,
    detail: "What is wrong with this request, in a sentence that may be shown.",
    instance: `urn:uuid:${REQUEST}`,
    requestId: REQUEST,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(code === "invalid" ? { errors: [{ pointer: "/points", detail: "must be 0 or more" }] } : {}),
  };
}
