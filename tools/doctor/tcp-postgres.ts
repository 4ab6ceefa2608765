/** The Postgres of the adapters over a plain connection. */
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import { z } from "zod";
import type { Postgres } from "../../functions/adapters/postgres/client.ts";

export function tcpPostgres(pool: Pool): Postgres {
  const db = drizzle({ client: pool });
  return {
    async query(row, statement) {
      const result = await db.execute(statement);
      return z.array(row).parse(result.rows);
    },
  };
}
