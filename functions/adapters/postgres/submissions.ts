/** The durable half of the submit path: one call of submit_scores_v2 (drizzle/functions). */
import { sql } from "drizzle-orm";
import type { NewSubmission, SubmissionStore } from "../../services/submit/ports.ts";
import type { Postgres } from "./client.ts";
import { resultRowOf, toRecording } from "./submission-rows.ts";

const toItem = (item: NewSubmission, i: number) => ({
  i,
  player: item.player,
  key: item.idempotencyKey,
  request: item.request,
  points: item.points ?? null,
  country: item.country ?? null,
  at: item.at ?? null,
  values: item.values,
  keys: item.keys,
  segments: item.segments,
  metadata: item.metadata,
  boards:
    item.brought.length === 0
      ? undefined
      : Object.fromEntries(
          item.brought.map(({ key, period, brings }) => [key, period === undefined ? "no-period" : brings]),
        ),
});

const broughtBy = (item: NewSubmission, i: number) =>
  item.brought.map(({ board, key, period, brings, parts }) => ({
    i,
    player: item.player,
    board: key,
    name: board.name,
    period,
    fold: board.fold,
    brings,
    zero: board.zero,
    most: board.most,
    timed: board.tie === "earliest",
    named: parts,
    at: item.at,
  }));

export function createSubmissionStore(postgres: Postgres): SubmissionStore {
  return {
    async record(game, submissions, origin, revision) {
      const brought = submissions.flatMap(broughtBy);
      const rows = await postgres.query(
        resultRowOf(submissions),
        sql`select (s.answer).*, s.boards from submit_scores_v2(${game}, ${JSON.stringify(submissions.map(toItem))}::json,
          ${origin.caller}, ${origin.signingKey ?? null}::int, ${revision ?? null}::int,
          ${brought.length === 0 ? null : JSON.stringify(brought)}::json, ${origin.strict}) s`,
      );
      return toRecording(rows, submissions);
    },
  };
}
