/** Response descriptions that routes share in the OpenAPI document. */
import type { z } from "@hono/zod-openapi";
import { PROBLEMS, Problem, type ProblemCode } from "../contract/problem.ts";
import { problemExample } from "./problem-example.ts";

export const json = <T extends z.ZodType>(schema: T, description: string) => ({
  description,
  content: { "application/json": { schema } },
});

const WRITTEN_BY_EVERY_ROUTE: readonly ProblemCode[] = ["invalid", "rate-limited", "internal", "unavailable"];

/** The problems a route may answer, grouped by status. */
export function problems(...codes: ProblemCode[]) {
  const byStatus = Map.groupBy([...codes, ...WRITTEN_BY_EVERY_ROUTE], (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [
      status,
      {
        description: [...new Set(of.map((code) => PROBLEMS[code].title))].join("; "),
        content: {
          "application/problem+json": {
            schema: Problem,
            examples: Object.fromEntries(of.map((code) => [code, { value: problemExample(code) }])),
          },
        },
      },
    ]),
  );
}
