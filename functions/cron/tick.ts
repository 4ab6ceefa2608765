/** What the cron does every minute, in this order. Safe to overlap, to run twice and to miss. */
import type { Deps } from "../deps-type.ts";
import { log } from "../log.ts";
import { lookAfterBusyGames } from "./busy-games.ts";

type Job = { readonly name: string; readonly run: (deps: Deps, deadlineMs: number) => Promise<Record<string, number>> };

/** Ends well before the next minute's run and the platform's 30 s of CPU. */
const BUDGET_MS = 25_000;

const JOBS: readonly Job[] = [{ name: "busy-games", run: lookAfterBusyGames }];

/** Runs every job once; a job that fails is logged and does not keep the next one from running. */
export async function tick(deps: Deps): Promise<void> {
  const deadlineMs = deps.clock.now() + BUDGET_MS;
  await deps.awaitStores();
  for (const job of JOBS) {
    const started = deps.clock.now();
    try {
      const counts = await job.run(deps, deadlineMs);
      const ms = deps.clock.now() - started;
      log("info", "job", { job: job.name, outcome: "done", ms, ...deps.timings.lap(), ...counts });
    } catch (error) {
      const reason = error instanceof Error ? error.message : "failed";
      const ms = deps.clock.now() - started;
      log("error", "job", { job: job.name, outcome: "failed", ms, ...deps.timings.lap(), reason });
    }
  }
}
