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

export type Dependency = "postgres" | "redis" | "room";

/**
 * `refused`: it answered, and the answer is no. `slow`: no answer by the deadline, so it is unknown whether it did what was
 * asked. `unreachable`: no answer that can be read. `not-asked`: it did not answer lately, so this call was not sent.
 */
export type FailureKind = "refused" | "slow" | "unreachable" | "not-asked";

/** Refusals that say what the caller wanted to know: the key is missing, the group is there. */
const EXPECTED: readonly string[] = ["NOKEY", "BUSYGROUP"];

/** Thrown by adapters when a dependency does not do what was asked, or it is unknown whether it did. */
export class DependencyError extends Error {
  readonly dependency: Dependency;
  readonly kind: FailureKind;
  /** A code of the dependency's (`OOM`, `42883`, `status_503`), or one of ours: never its text, which may hold players. */
  readonly code: string;

  constructor(dependency: Dependency, kind: FailureKind, code: string, cause?: unknown) {
    super(`${dependency}: ${kind}, ${code}`, { cause });
    this.name = "DependencyError";
    this.dependency = dependency;
    this.kind = kind;
    this.code = code;
  }

  /** Whether it is no trouble of the dependency's. */
  get expected(): boolean {
    return this.kind === "refused" && EXPECTED.includes(this.code);
  }
}

/** Whether a dependency took longer than its deadline: asking for less may help. */
export const isSlow = (error: unknown): boolean => error instanceof DependencyError && error.kind === "slow";
