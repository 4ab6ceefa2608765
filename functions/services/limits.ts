/** What the platform lets one run of the Worker do; wrangler.toml says the same, and test/deploy holds them together. */
import type { Runtime } from "./runtime.ts";

/** Requests that leave the Worker in one run, its work after the response among them. */
export const SUBREQUESTS = 10_000;

/** What `waitUntil` leaves of its 30 s for work after the response, and a few seconds to spare. */
export const AFTER_RESPONSE_MS = 22_000;

/** True when a loop has to end: at its deadline, or when what it may send is sent. */
export const timeIsUp = (deps: Pick<Runtime, "clock" | "subrequests">, deadlineMs: number): boolean =>
  deps.clock.now() >= deadlineMs || deps.subrequests.left() <= 0;
