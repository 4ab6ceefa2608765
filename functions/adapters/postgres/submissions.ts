/** The durable half of the submit path: one call of submit_scores_v1 (drizzle/functions). */
import { sql } from "drizzle-orm";
import { z } from "zod";
import type {
  BestChange,
  HeldSubmission,
  NewSubmission,
  RecordOutcome,
  SubmissionStore,
} from "../../services/submit/ports.ts";
import { bigintNumber, instantMs, type Postgres } from "./client.ts";

const maybeBigint = bigintNumber.nullable();
const maybeInstant = instantMs.nullable();

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
});
const recorded = z.object({
  outcome: z.enum(["accepted", "replayed"]),
  submission_id: z.string(),
  submitted_at: instantMs,
  week: z.string(),
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
const resultRow = z.discriminatedUnion("outcome", [refused, limited, held, recorded]);

function change(
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

function toHeld(row: z.infer<typeof held>, item: NewSubmission): HeldSubmission {
  return {
    submissionId: row.submission_id,
    player: item.player,
    points: item.points,
    submittedAtMs: row.submitted_at,
    week: row.week,
    country: item.country,
    replayed: !row.fresh,
    bestOfWeek: row.week_points ?? undefined,
    bestOfAllTime: row.all_time_points ?? undefined,
  };
}

function toOutcome(row: z.infer<typeof resultRow>, item: NewSubmission): RecordOutcome {
  if (row.outcome === "limited") return { outcome: "limited", retryAfterSeconds: row.retry_after };
  if (row.outcome === "held") return { outcome: "held", submission: toHeld(row, item) };
  if (row.outcome !== "accepted" && row.outcome !== "replayed") return { outcome: row.outcome };
  return {
    outcome: "recorded",
    submission: {
      submissionId: row.submission_id,
      player: item.player,
      points: item.points,
      submittedAtMs: row.submitted_at,
      week: row.week,
      country: row.country ?? undefined,
      leftCountries: row.left_countries.filter((country) => country !== row.country),
      replayed: row.outcome === "replayed",
      ageMs: row.age_ms,
      nowUs: row.now_us,
      thisWeek: change(
        { points: row.week_points, at: row.week_at, submission: row.week_submission },
        { points: row.week_previous, at: row.week_previous_at },
        row.week_raised,
      ),
      allTime: change(
        { points: row.all_time_points, at: row.all_time_at, submission: row.all_time_submission },
        { points: row.all_time_previous, at: row.all_time_previous_at },
        row.all_time_raised,
      ),
      boardSize: row.week_size ?? 0,
      unverified: row.unverified,
    },
  };
}

export function createSubmissionStore(postgres: Postgres): SubmissionStore {
  return {
    async record(game, submissions, origin) {
      const items = submissions.map((item, i) => ({
        i,
        player: item.player,
        key: item.idempotencyKey,
        request: item.request,
        points: item.points,
        country: item.country ?? null,
        at: item.at ?? null,
      }));
      const rows = await postgres.query(
        resultRow,
        sql`select * from submit_scores_v1(${game}, ${JSON.stringify(items)}::json, ${origin.caller},
          ${origin.signingKey ?? null}::int)`,
      );
      if (rows.length === 0) return undefined;
      return submissions.map((item, i) => {
        const row = rows[i];
        if (!row) throw new Error("submit_scores_v1 returned fewer rows than items");
        return toOutcome(row, item);
      });
    },
  };
}
