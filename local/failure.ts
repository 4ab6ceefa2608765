/** What went wrong, for a person: never empty, as the message of a connection that failed at several addresses is. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "")
    return [...new Set(error.errors.map((one) => reasonOf(one)))].join("; ");
  if (!(error instanceof Error)) return String(error);
  return error.message === "" ? error.name : error.message;
}
