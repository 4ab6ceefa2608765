/**
 * Ranks submissions that Redis did not take in time, after their responses. An isolate has one such worker a game,
 * whatever number of requests ran into the outage; what it does not manage is found by the next reconciliation.
 */
import { DependencyError } from "../domain/errors.ts";
import { pushTop } from "./push-top.ts";
import { rebuildSoon } from "./rebuild.ts";
import type { Deps, RecordedSubmission } from "./ports.ts";

/** What waitUntil leaves of its 30 s. */
const TRY_FOR_MS = 25_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;
const BATCH = 250;
const MOST_WAITING = 5_000;

/** Plain values of this isolate, so sharing them between requests is safe. */
type Waiting = { readonly submission: RecordedSubmission; readonly sinceMs: number };
type Queue = { readonly waiting: Map<string, Waiting>; workedUntilMs: number };
const queues = new Map<string, Queue>();

/** Full jitter, so that isolates that lost Redis at the same moment do not come back at the same moment. */
const waitMs = (attempt: number) => Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);

/** One attempt at a batch; false when Redis is still out. */
async function applyBatch(deps: Deps, game: string, queue: Queue, ensureEvents: EnsureEvents): Promise<boolean> {
  const now = deps.clock.now();
  const batch = [...queue.waiting.values()]
    .slice(0, BATCH)
    .map(({ submission, sinceMs }) => ({ ...submission, replayed: true, ageMs: submission.ageMs + now - sinceMs }));
  try {
    const applied = await deps.ranking.apply(game, batch);
    for (const { submissionId } of batch) queue.waiting.delete(submissionId);
    if (applied.standings) ensureEvents(batch);
    else rebuildSoon(deps, game);
    for (const week of applied.pushes) deps.background.run("push-top", () => pushTop(deps, game, week));
    return true;
  } catch (error) {
    if (error instanceof DependencyError) return false;
    throw error;
  }
}

export type EnsureEvents = (submissions: readonly RecordedSubmission[]) => void;

/** Applies these submissions once Redis answers again, as replays: their first calls may have been done, or come late. */
export function applyLater(
  deps: Deps,
  game: string,
  submissions: readonly RecordedSubmission[],
  ensureEvents: EnsureEvents,
): void {
  const queue = queues.get(game) ?? { waiting: new Map<string, Waiting>(), workedUntilMs: 0 };
  queues.set(game, queue);
  const now = deps.clock.now();
  for (const submission of submissions) {
    if (queue.waiting.size >= MOST_WAITING) break;
    queue.waiting.set(submission.submissionId, { submission, sinceMs: now });
  }
  // By time and not by a flag: a worker that the platform ended early must not keep others from starting.
  if (now < queue.workedUntilMs) return;
  const endsAt = now + TRY_FOR_MS;
  queue.workedUntilMs = endsAt;
  deps.background.run("apply-later", async () => {
    for (let attempt = 0; queue.waiting.size > 0 && deps.clock.now() < endsAt; attempt += 1) {
      await deps.sleep(waitMs(attempt));
      while (queue.waiting.size > 0 && (await applyBatch(deps, game, queue, ensureEvents))) attempt = 0;
    }
    queue.workedUntilMs = 0;
    if (queue.waiting.size === 0) queues.delete(game);
  });
}
