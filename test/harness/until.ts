/** Waits on a condition, with a deadline: tests never sleep for a fixed time. */

const POLL_MS = 20;

/** Resolves with the first value of `probe` that is not undefined or false; throws after `deadlineMs`. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  deadlineMs = 10_000,
): Promise<T> {
  const endsAt = Date.now() + deadlineMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > endsAt) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
