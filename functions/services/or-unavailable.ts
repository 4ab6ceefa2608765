/** A dependency's failure as what the client is told. */
import { DependencyError, DomainError } from "../domain/errors.ts";

/** Throws DomainError `unavailable`, with `detail`, when the dependency does not answer. */
export async function orUnavailable<T>(
  work: Promise<T>,
  detail = "This cannot be done right now. Try again shortly.",
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DependencyError)) throw error;
    throw new DomainError("unavailable", detail, {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
}
