/** What a failed statement means. Texts stay here: Drizzle's holds the statement and its parameters. */
import { z } from "zod";
import { DependencyError } from "../../domain/errors.ts";

const withState = z.object({ code: z.string().regex(/^[0-9A-Z]{5}$/) });
const withSource = z.object({ sourceError: z.object({ name: z.string() }) });

/** The statement was ended because it took too long. */
const CANCELED = "57014";
/** No verdict about the statement: no connection, no room for one, shutting down or starting, a disk that fails. */
const NOT_THERE = /^(08|53|57P|58)/;

/** As DependencyError, whatever driver or ORM threw. */
export function postgresFailure(thrown: unknown): DependencyError {
  const error = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  const state = withState.safeParse(error);
  if (state.success) {
    const { code } = state.data;
    if (code === CANCELED) return new DependencyError("postgres", "slow", code);
    return new DependencyError("postgres", NOT_THERE.test(code) ? "unreachable" : "refused", code);
  }
  const { name, message } = error instanceof Error ? error : { name: "", message: "" };
  const source = withSource.safeParse(error);
  if ([name, source.data?.sourceError.name].includes("TimeoutError")) {
    return new DependencyError("postgres", "slow", "deadline");
  }
  const status = /\(HTTP status (\d{3})\)/.exec(message)?.[1];
  if (status !== undefined) {
    return new DependencyError("postgres", status < "500" ? "refused" : "unreachable", `status_${status}`);
  }
  return new DependencyError("postgres", "unreachable", source.success ? "connection" : "unreadable");
}
