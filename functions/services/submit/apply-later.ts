/**
 * Ranks submissions that Redis did not take in time, after their responses. An isolate has one such worker a game,
 * whatever number of requests ran into the outage; what it does not manage is found by the next reconciliation.
 */
import { LRUCache } from "lru-cache";
import { DependencyError } from "../../domain/errors.ts";
import { pushTop } from "../live/push-top.ts";
import { rebuildSoon, type RebuildSoonDeps } from "../healing/rebuild.ts";
import type { RecordedSubmission } from "./ports.ts";
import { lastEntries, type Entered } from "./ranked-entries.ts";

/** What waitUntil leaves of its 30 s. */
const TRY_FOR_MS = 25_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;
const BATCH = 250;
/** Of all games together, about 10 MB: the oldest goes first, to the next reconciliation. */
const MOST_WAITING = 10_000;

/** Plain values of this isolate, so sharing them between requests is safe. Undefined: the boards of every game do not see it. */
type Waiting = {
  readonly game: string;
  readonly submission: RecordedSubmission | undefined;
  readonly entered: Entered | undefined;
  readonly sinceMs: number;
};
/** By submission id. */
const waiting = new LRUCache<string, Waiting>({
  maxSize: MOST_WAITING,
  sizeCalculation: ({ entered }) => 1 + (entered?.entries.length ?? 0),
  dispose({ game }, id) {
    const queue = queues.get(game);
    queue?.ids.delete(id);
    if (queue?.ids.size === 0) queues.delete(game);
  },
});
/** Games with something waiting. */
type Queue = { readonly ids: Set<string>; workedUntilMs: number };
const queues = new Map<string, Queue>();

/** Full jitter, so that isolates that lost Redis at the same moment do not come back at the same moment. */
const waitMs = (attempt: number) => Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);

/** One attempt at a batch; false when Redis is still out. */
async function applyBatch(
  deps: RebuildSoonDeps,
  game: string,
  queue: Queue,
  ensureEvents: EnsureEvents,
): Promise<boolean> {
  const now = deps.clock.now();
  const ids = [...queue.ids].slice(0, BATCH);
  const waited = ids.flatMap((id) => waiting.peek(id) ?? []);
  const batch = waited.flatMap(({ submission, sinceMs }) =>
    submission ? [{ ...submission, replayed: true, ageMs: submission.ageMs + now - sinceMs }] : [],
  );
  const entries = lastEntries(waited.flatMap(({ entered }) => entered ?? []));
  const written = [...entries.values()].map((entry) => ({ ...entry, writes: true }));
  try {
    const applied = await deps.ranking.apply(game, batch, written);
    for (const id of ids) waiting.delete(id);
    if (applied.places) ensureEvents(batch);
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
  deps: RebuildSoonDeps,
  game: string,
  submissions: readonly RecordedSubmission[],
  entered: readonly Entered[],
  ensureEvents: EnsureEvents,
): void {
  const now = deps.clock.now();
  const queue = queues.get(game) ?? { ids: new Set<string>(), workedUntilMs: 0 };
  const bySubmission = new Map(entered.map((one) => [one.submission.submissionId, one]));
  const recorded = new Map(submissions.map((one) => [one.submissionId, one]));
  for (const id of new Set([...recorded.keys(), ...bySubmission.keys()])) {
    waiting.set(id, { game, submission: recorded.get(id), entered: bySubmission.get(id), sinceMs: now });
    queue.ids.add(id);
  }
  queues.set(game, queue);
  // By time and not by a flag: a worker that the platform ended early must not keep others from starting.
  if (now < queue.workedUntilMs) return;
  const endsAt = now + TRY_FOR_MS;
  queue.workedUntilMs = endsAt;
  deps.background.run("apply-later", async () => {
    for (let attempt = 0; queue.ids.size > 0 && deps.clock.now() < endsAt; attempt += 1) {
      await deps.sleep(waitMs(attempt));
      while (queue.ids.size > 0 && (await applyBatch(deps, game, queue, ensureEvents))) attempt = 0;
    }
    queue.workedUntilMs = 0;
  });
}
