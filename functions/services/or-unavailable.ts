/** A dependency's failure as what the client is told. */
import { DependencyError, DomainError } from "../domain/errors.ts";

/** Throws DomainError `unavailable` when the dependency does not answer. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DependencyError)) throw error;
    throw new DomainError("unavailable", "This cannot be done right now. Try again shortly.", {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
}
