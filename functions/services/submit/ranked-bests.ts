/**
 * Bests that this isolate saw Redis take: plain values, so sharing them between requests is safe. Postgres asks to write a
 * young best again with every submission of its player until reconciling has proven that Redis holds it; for these there is
 * proof already, and writing them is three commands of five.
 */
import { createMemory } from "../memory.ts";
import type { RecordedSubmission } from "./ports.ts";

const MOST_REMEMBERED = 8_000;
const ranked = createMemory<true>(MOST_REMEMBERED);

/** The country too: moving to another one is a write of the same bests. */
const keyOf = (s: RecordedSubmission) => `${s.thisWeek.submissionId} ${s.allTime.submissionId} ${s.country ?? ""}`;

/** Notes that Redis holds the player's bests as this submission brought them. */
export function rememberRanked(submission: RecordedSubmission): void {
  ranked.set(keyOf(submission), true);
}

/** The submission without the wish to write bests again that are known to be there. */
export function withoutProven(submission: RecordedSubmission): RecordedSubmission {
  // A player who changed countries is written each time: calls that overtook each other may have left them on two boards.
  if (!submission.unverified || submission.leftCountries.length > 0) return submission;
  return ranked.get(keyOf(submission)) ? { ...submission, unverified: false } : submission;
}
