/** What the cron does every minute, in this order. Safe to overlap, to run twice and to miss. */
import type { Deps } from "../deps-type.ts";
import { log } from "../log.ts";
import { busyGames, type BusyGames } from "../services/games/active-games.ts";
import { lookAfterBusyGames } from "./busy-games.ts";
import { lookAfterPeriods } from "./due-periods.ts";

/** `list`: the busy games, which all jobs read together. */
type Run = (deps: Deps, deadlineMs: number, list: Promise<BusyGames>) => Promise<Record<string, number>>;
type Job = { readonly name: string; readonly run: Run };

/** Ends well before the next minute's run and the platform's 30 s of CPU. */
const BUDGET_MS = 25_000;

const JOBS: readonly Job[] = [
  { name: "periods", run: lookAfterPeriods },
  { name: "busy-games", run: lookAfterBusyGames },
];

/** Runs every job once; a job that fails is logged and does not keep the next one from running. */
export async function tick(deps: Deps): Promise<void> {
  const deadlineMs = deps.clock.now() + BUDGET_MS;
  await deps.awaitStores();
  const list = busyGames(deps);
  for (const job of JOBS) {
    const started = deps.clock.now();
    try {
      const counts = await job.run(deps, deadlineMs, list);
      const ms = deps.clock.now() - started;
      log("info", "job", { job: job.name, outcome: "done", ms, ...deps.timings.lap(), ...counts });
    } catch (error) {
      const reason = error instanceof Error ? error.message : "failed";
      const ms = deps.clock.now() - started;
      log("error", "job", { job: job.name, outcome: "failed", ms, ...deps.timings.lap(), reason });
    }
  }
}
