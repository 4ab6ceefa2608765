/** Rows of submit_scores_v2 (drizzle/functions), and the outcomes that they say. */
import { z } from "zod";
import type {
  BestChange,
  EntryChange,
  HeldSubmission,
  NewSubmission,
  Recording,
  RecordOutcome,
  RecordedSubmission,
  ValuesSubmission,
} from "../../services/submit/ports.ts";
import { bigintNumber, instantMs } from "./client.ts";
import { CompiledBoard } from "./definition-rows.ts";
import { leftSegmentsColumn, partsOf, segmentsColumn } from "./entry-parts.ts";

const maybeBigint = bigintNumber.nullable();
const maybeInstant = instantMs.nullable();

const change = z
  .tuple([
    z.string(),
    z.enum(["no-period", "period-final", "total-out-of-range"]).nullable(),
    z.int().nullable(),
    z.int().nullable(),
    z.int().nullable(),
    z.boolean(),
    z.boolean(),
    segmentsColumn,
    leftSegmentsColumn,
    z.int().nullable(),
    z.int().nullable(),
    z.int().nullable(),
    z.int().nullable(),
  ])
  .transform((row): EntryChange => {
    const [
      key,
      reason,
      strength,
      atMs,
      previous,
      changed,
      proven,
      segments,
      left,
      boardSize,
      startsAtMs,
      endsAtMs,
      unitMs,
    ] = row;
    return {
      key,
      reason: reason ?? undefined,
      strength: strength ?? undefined,
      atMs: atMs ?? undefined,
      previous: previous ?? undefined,
      changed,
      proven,
      ...partsOf({ segments, left }),
      boardSize: boardSize ?? 0,
      // Scores of boards that rank equal strengths by id hold no time, so their unit does not matter.
      period: startsAtMs === null || endsAtMs === null ? undefined : { startsAtMs, endsAtMs, unitMs: unitMs ?? 1 },
    };
  });
/** Of submit_entries_v1; null when the game defined no boards, or the submission is on none. */
const boards = z.array(change).nullable();

const refused = z.object({
  outcome: z.enum(["conflict", "too-many-points", "banned", "deleted", "removed", "unsigned"]),
});
const limited = z.object({ outcome: z.literal("limited"), retry_after: z.int() });
const held = z.object({
  outcome: z.literal("held"),
  submission_id: z.string(),
  submitted_at: instantMs,
  week: z.string(),
  week_points: maybeBigint,
  all_time_points: maybeBigint,
  fresh: z.boolean(),
  boards,
});
const stored = z.object({
  outcome: z.enum(["accepted", "replayed"]),
  submission_id: z.string(),
  submitted_at: instantMs,
  week: z.string(),
  boards,
});
const recorded = stored.extend({
  age_ms: bigintNumber,
  now_us: z.string(),
  week_points: bigintNumber,
  week_at: instantMs,
  week_previous: maybeBigint,
  week_previous_at: maybeInstant,
  week_raised: z.boolean(),
  week_submission: z.string(),
  country: z.string().nullable(),
  left_countries: z.array(z.string()),
  all_time_points: bigintNumber,
  all_time_at: instantMs,
  all_time_previous: maybeBigint,
  all_time_previous_at: maybeInstant,
  all_time_raised: z.boolean(),
  all_time_submission: z.string(),
  unverified: z.boolean(),
  /** Null when the board was not counted, as after a restore without triggers: the doctor's business, not the player's. */
  week_size: maybeBigint,
});
const otherBoards = z.object({
  outcome: z.literal("boards"),
  boards: z.object({ revision: z.int().nullable(), boards: z.array(CompiledBoard).nullable() }),
});
const otherPeriods = z.object({ outcome: z.literal("periods"), boards: z.int() });
const pointsRow = z.discriminatedUnion("outcome", [recorded, refused, limited, held, otherBoards, otherPeriods]);
/** The second one takes those that the default boards do not see, too. */
const resultRows = { points: pointsRow, values: z.union([pointsRow, stored]) } as const;
type ResultRow = z.infer<(typeof resultRows)["values"]>;

/** A row an item, or one row that says why nothing was written. */
export const resultRowOf = (items: readonly NewSubmission[]) =>
  resultRows[items.every(({ points }) => points !== undefined) ? "points" : "values"];

function bestChange(
  best: { points: number; at: number; submission: string },
  previous: { points: number | null; at: number | null },
  raised: boolean,
): BestChange {
  return {
    best: { points: best.points, achievedAtMs: best.at },
    previous:
      previous.points === null || previous.at === null
        ? undefined
        : { points: previous.points, achievedAtMs: previous.at },
    raised,
    submissionId: best.submission,
  };
}

function toHeld(row: z.infer<typeof held>, item: NewSubmission, points: number): HeldSubmission {
  return {
    submissionId: row.submission_id,
    player: item.player,
    points,
    submittedAtMs: row.submitted_at,
    week: row.week,
    country: item.country,
    replayed: !row.fresh,
    entries: row.boards ?? undefined,
    bestOfWeek: row.week_points ?? undefined,
    bestOfAllTime: row.all_time_points ?? undefined,
  };
}

const toValues = (row: z.infer<typeof stored>, item: NewSubmission): ValuesSubmission => ({
  submissionId: row.submission_id,
  player: item.player,
  submittedAtMs: row.submitted_at,
  week: row.week,
  country: item.country,
  replayed: row.outcome === "replayed",
  entries: row.boards ?? undefined,
});

const toRecorded = (row: z.infer<typeof recorded>, item: NewSubmission, points: number): RecordedSubmission => ({
  submissionId: row.submission_id,
  player: item.player,
  points,
  entries: row.boards ?? undefined,
  submittedAtMs: row.submitted_at,
  week: row.week,
  country: row.country ?? undefined,
  leftCountries: row.left_countries.filter((country) => country !== row.country),
  replayed: row.outcome === "replayed",
  ageMs: row.age_ms,
  nowUs: row.now_us,
  thisWeek: bestChange(
    { points: row.week_points, at: row.week_at, submission: row.week_submission },
    { points: row.week_previous, at: row.week_previous_at },
    row.week_raised,
  ),
  allTime: bestChange(
    { points: row.all_time_points, at: row.all_time_at, submission: row.all_time_submission },
    { points: row.all_time_previous, at: row.all_time_previous_at },
    row.all_time_raised,
  ),
  boardSize: row.week_size ?? 0,
  unverified: row.unverified,
});

function toOutcome(row: ResultRow | undefined, item: NewSubmission): RecordOutcome {
  if (row === undefined || row.outcome === "boards" || row.outcome === "periods")
    throw new Error("submit_scores_v2 returned fewer rows than items");
  if (row.outcome === "limited") return { outcome: "limited", retryAfterSeconds: row.retry_after };
  const { points } = item;
  if (row.outcome === "held" && points !== undefined) return { outcome: "held", submission: toHeld(row, item, points) };
  if (row.outcome === "accepted" || row.outcome === "replayed") {
    if (points === undefined) return { outcome: "values-recorded", submission: toValues(row, item) };
    if ("week_points" in row) return { outcome: "recorded", submission: toRecorded(row, item, points) };
  } else if (row.outcome !== "held") return { outcome: row.outcome };
  throw new Error("a row of submit_scores_v2 that its item does not explain");
}

/** What a call recorded, or why it wrote nothing; undefined when there is no such game. */
export function toRecording(rows: readonly ResultRow[], items: readonly NewSubmission[]): Recording | undefined {
  const [first] = rows;
  if (first?.outcome === "boards") {
    const { revision, boards: known } = first.boards;
    return { kind: "other-boards", known: { revision: revision ?? undefined, boards: known ?? [] } };
  }
  if (first?.outcome === "periods") return { kind: "other-periods", nowMs: first.boards };
  if (first === undefined && items.length > 0) return undefined;
  return { kind: "recorded", outcomes: items.map((item, i) => toOutcome(rows[i], item)) };
}
