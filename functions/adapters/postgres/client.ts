/** The only place that talks to Neon. One HTTP request a call, no retries: an unsure outcome is the caller's. */
import { neon, neonConfig } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/neon-http";
import type { SQL } from "drizzle-orm";
import { z } from "zod";
import { postgresFailure } from "./failure.ts";

export type PostgresOptions = {
  readonly connectionString: string;
  /** Local stack only: where `/sql` is; Neon's own address is derived from the connection string. */
  readonly endpoint: string | undefined;
  readonly deadlineMs: number;
};

export type Postgres = {
  /** Runs one statement and parses its rows. Throws a DependencyError when Postgres refuses or does not answer in time. */
  query<T extends z.ZodType>(row: T, statement: SQL): Promise<z.infer<T>[]>;
};

export function createPostgres(options: PostgresOptions): Postgres {
  const { endpoint } = options;
  if (endpoint !== undefined) neonConfig.fetchEndpoint = () => endpoint;
  return {
    async query(row, statement) {
      // A signal given to neon() is spent with its first timeout, so each call makes its own (a plain object).
      const signal = AbortSignal.timeout(options.deadlineMs);
      const db = drizzle({ client: neon(options.connectionString, { fetchOptions: { signal } }) });
      try {
        const result = await db.execute(statement);
        return z.array(row).parse(result.rows);
      } catch (error) {
        if (error instanceof z.ZodError) throw error;
        throw postgresFailure(error);
      }
    },
  };
}

/** int8 arrives as text; every number of ours is below 2^53. */
export const bigintNumber = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)
  .pipe(z.int());

/** timestamptz arrives as text in UTC: `2026-10-14 18:03:11.123456+00`. */
export const instantMs = z.string().transform((text) => Date.parse(text.replace(" ", "T").replace(/\+00$/, "Z")));

/** The id before those of all submissions: where going through them begins. */
export const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";
