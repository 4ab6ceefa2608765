import path from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import type { Client } from "pg";
import { z } from "zod";
import { withClient } from "./components/postgres.ts";
import { ROOT } from "./paths.ts";

export const MIGRATIONS = path.join(ROOT, "drizzle", "migrations");

/** What a database notes of each migration that it has. */
export const migrationHashes = (folder = MIGRATIONS): string[] =>
  readMigrationFiles({ migrationsFolder: folder }).map(({ hash }) => hash);

const Applied = z.array(z.object({ hash: z.string() }));

/**
 * Whether a database was made by migrations that `folder` does not have, and lacks some that it has. One that is only ahead of
 * them is no such database: an older Worker may use it.
 */
export async function isOfOtherMigrations(client: Client, folder = MIGRATIONS): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('drizzle.__drizzle_migrations') is not null as there");
  if (!z.object({ there: z.boolean() }).parse(rows[0]).there) return false;
  const result = await client.query("select hash from drizzle.__drizzle_migrations");
  const applied = Applied.parse(result.rows).map(({ hash }) => hash);
  const known = migrationHashes(folder);
  return known.some((hash) => !applied.includes(hash)) && applied.some((hash) => !known.includes(hash));
}

/** Applies the migrations that the database does not have yet, over TCP and in a transaction. `complaint` is thrown where it cannot. */
export async function applyMigrations(
  databaseUrl: string,
  complaint = "the database is of another version",
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    if (await isOfOtherMigrations(client)) throw new Error(complaint);
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS });
  });
}
