/** What Postgres itself counts: rows of all tables. */
import type { Client } from "pg";
import { z } from "zod";
import { until } from "../harness/until.ts";

const Counters = z.object({
  submissions: z.coerce.number(),
  inserted: z.coerce.number(),
  updated: z.coerce.number(),
  fetched: z.coerce.number(),
});
export type Rows = z.infer<typeof Counters>;

/** Rows inserted, updated and fetched by an index since the server began to count; `submissions` are those inserted there. */
async function rowCounters(postgres: Client): Promise<Rows> {
  const { rows } = await postgres.query(
    `select coalesce(sum(n_tup_ins) filter (where relname = 'submissions'), 0) as submissions, sum(n_tup_ins) as inserted,
      sum(n_tup_upd) as updated, coalesce(sum(idx_tup_fetch), 0) as fetched from pg_stat_user_tables`,
  );
  return Counters.parse(rows[0]);
}

/** An idle backend reports what it did within 10 s. */
const REPORTED_MS = 11_000;

/** The counters once nothing more comes from what was done before. */
export async function settledCounters(postgres: Client): Promise<Rows> {
  let last = await rowCounters(postgres);
  let since = Date.now();
  await until(
    "the counters of Postgres stand still",
    async () => {
      const now = await rowCounters(postgres);
      if (JSON.stringify(now) !== JSON.stringify(last)) [last, since] = [now, Date.now()];
      return Date.now() - since > REPORTED_MS;
    },
    120_000,
  );
  return last;
}

/** The rows since `before`, once the backends have reported those of `submissions` submissions. */
export async function rowsSince(postgres: Client, before: Rows, submissions: number): Promise<Rows> {
  const now = await until(
    "every backend has reported its rows",
    async () => {
      const counters = await rowCounters(postgres);
      return counters.submissions - before.submissions >= submissions && counters;
    },
    60_000,
  );
  return {
    submissions: now.submissions - before.submissions,
    inserted: now.inserted - before.inserted,
    updated: now.updated - before.updated,
    fetched: now.fetched - before.fetched,
  };
}
