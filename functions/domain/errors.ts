/** Failures that the service knows: transport-free, with a detail that is safe to show. */
import type { FieldError, ProblemCode } from "../contract/problem.ts";

export type ErrorOptions = {
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
};

export class DomainError extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ProblemCode, detail: string, options: ErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = "DomainError";
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Thrown by adapters when a dependency cannot answer: out, slow, or unsure whether it did what was asked. */
export class DependencyError extends Error {
  readonly dependency: "postgres" | "redis" | "room";

  constructor(dependency: DependencyError["dependency"], reason: string, cause?: unknown) {
    super(`${dependency}: ${reason}`, { cause });
    this.name = "DependencyError";
    this.dependency = dependency;
  }
}
