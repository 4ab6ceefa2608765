/** Plays an evening through the public API: a fixed number of clients, each with one submission on its way. */
import { randomUUID } from "node:crypto";
import type { Client } from "../../client/index.ts";
import type { Progress } from "../../local/progress.ts";
import { playEvening } from "./evening.ts";
import type { DemoOptions } from "./options.ts";

export type PlayResult = {
  readonly acknowledged: number;
  readonly rankedLater: number;
  readonly failed: number;
  readonly elapsedMs: number;
  /** Milliseconds of each acknowledged submission, retries included, ascending. */
  readonly latencies: readonly number[];
};

/** After this many failures in a row the service is gone for good. */
const MOST_FAILURES_IN_A_ROW = 20;

export async function play(client: Client, options: DemoOptions, progress: Progress): Promise<PlayResult> {
  const plays = playEvening(options.seed, options.count, options.players);
  const run = randomUUID();
  const latencies: number[] = [];
  let next = 0;
  let rankedLater = 0;
  let failed = 0;
  let failedInARow = 0;
  const startedAt = performance.now();

  async function pace(index: number): Promise<void> {
    if (options.rate === undefined) return;
    const waitMs = (index / options.rate) * 1000 - (performance.now() - startedAt);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }

  async function oneClient(): Promise<void> {
    for (const one of plays) {
      const index = next++;
      await pace(index);
      const sentAt = performance.now();
      try {
        const answer = await client.submit(options.game, one, `demo-${run}-${index}`);
        latencies.push(performance.now() - sentAt);
        if (!answer.ranked) rankedLater++;
        failedInARow = 0;
      } catch (error) {
        failed++;
        failedInARow++;
        if (failedInARow >= MOST_FAILURES_IN_A_ROW) throw error;
      }
      progress.update(latencies.length + failed);
    }
  }

  // One generator for all clients: each takes the next play when it is free. A client that ends leaves it open.
  const clients = await Promise.allSettled(Array.from({ length: options.clients }, oneClient));
  const gaveUp = clients.find((result) => result.status === "rejected");
  if (gaveUp) console.error(`\nthe service does not answer any more: ${String(gaveUp.reason)}`);
  return {
    acknowledged: latencies.length,
    rankedLater,
    failed,
    elapsedMs: performance.now() - startedAt,
    latencies: latencies.toSorted((a, b) => a - b),
  };
}
