/** The server's clock. The device's own may be minutes off, and then it is another week there. */

/** HTTP dates have whole seconds. */
const RESOLUTION_MS = 1_000;

export type ServerClock = {
  /** The server's time; the device's until the first answer. */
  readonly now: () => number;
  /** `fetch`, which reads the time off every answer. */
  readonly fetch: typeof fetch;
};

/**
 * How far the server is ahead lies between two bounds, which every answer narrows. An answer that contradicts them means
 * that the device's clock was set, or slept: it counts alone.
 */
export function serverClock(): ServerClock {
  let least = -Infinity;
  let most = Infinity;

  function learn(dateMs: number, sentAtMs: number, receivedAtMs: number): void {
    const from = dateMs - receivedAtMs;
    const to = dateMs + RESOLUTION_MS - sentAtMs;
    if (from > to) return;
    const agrees = from <= most && to >= least;
    least = agrees ? Math.max(least, from) : from;
    most = agrees ? Math.min(most, to) : to;
  }

  return {
    now: () => Date.now() + (least === -Infinity ? 0 : Math.round((least + most) / 2)),
    fetch: async (input, init) => {
      const sentAtMs = Date.now();
      const response = await fetch(input, init);
      const dateMs = Date.parse(response.headers.get("date") ?? "");
      if (!Number.isNaN(dateMs)) learn(dateMs, sentAtMs, Date.now());
      return response;
    },
  };
}
