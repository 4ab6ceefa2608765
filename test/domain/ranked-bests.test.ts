import { expect, test } from "vitest";
import { rememberRanked, withoutProven } from "../../functions/services/submit/ranked-bests.ts";
import type { RecordedSubmission } from "../../functions/services/submit/ports.ts";

/** A submission whose bests were set by the submissions `week` and `allTime`. */
function submission(week: string, allTime: string, country?: string, unverified = true): RecordedSubmission {
  const best = (submissionId: string) => ({
    best: { points: 5, achievedAtMs: 0 },
    previous: undefined,
    raised: false,
    submissionId,
  });
  return {
    submissionId: crypto.randomUUID(),
    player: "ada",
    points: 1,
    submittedAtMs: 0,
    week: "2026-W48",
    country,
    leftCountries: [],
    replayed: false,
    ageMs: 0,
    nowUs: "0",
    thisWeek: best(week),
    allTime: best(allTime),
    boardSize: 1,
    unverified,
  };
}

test("bests that Redis was seen to take are not asked to be written again", () => {
  expect(withoutProven(submission("a-1", "a-1", "DE")).unverified).toBe(true);
  rememberRanked(submission("a-1", "a-1", "DE"));
  expect(withoutProven(submission("a-1", "a-1", "DE")).unverified).toBe(false);
});

test("another best, or the same one in another country, is a write of its own", () => {
  rememberRanked(submission("b-1", "b-1", "DE"));
  expect(withoutProven(submission("b-2", "b-1", "DE")).unverified).toBe(true);
  expect(withoutProven(submission("b-1", "b-2", "DE")).unverified).toBe(true);
  expect(withoutProven(submission("b-1", "b-1", "FR")).unverified).toBe(true);
  expect(withoutProven(submission("b-1", "b-1")).unverified).toBe(true);
});

test("a player who changed countries this week is written each time", () => {
  const moved = { ...submission("m-1", "m-1", "FR"), leftCountries: ["DE"] };
  rememberRanked(moved);
  expect(withoutProven(moved).unverified).toBe(true);
});

test("what Postgres knows to be there needs no proof", () => {
  const verified = submission("c-1", "c-1", "DE", false);
  expect(withoutProven(verified)).toBe(verified);
});

test("thousands of newer bests are remembered, and no more than that", () => {
  rememberRanked(submission("old", "old"));
  for (let i = 0; i < 4_000; i++) rememberRanked(submission(`d-${i}`, "d"));
  expect(withoutProven(submission("old", "old")).unverified).toBe(false);
  for (let i = 4_000; i < 12_000; i++) rememberRanked(submission(`d-${i}`, "d"));
  expect(withoutProven(submission("old", "old")).unverified).toBe(true);
  expect(withoutProven(submission("d-11999", "d")).unverified).toBe(false);
});
