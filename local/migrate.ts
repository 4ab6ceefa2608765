import path from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { withClient } from "./components/postgres.ts";
import { ROOT } from "./paths.ts";

/** Applies the migrations that the database does not have yet, over TCP and in a transaction. */
export async function applyMigrations(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) =>
    migrate(drizzle(client), { migrationsFolder: path.join(ROOT, "drizzle", "migrations") }),
  );
}
