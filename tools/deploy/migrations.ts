/** Which migrations a deployment applies when: expand, load, deploy, contract (docs/deploy.md). */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { z } from "zod";
import { isOfOtherMigrations, MIGRATIONS } from "../../local/migrate.ts";

const Journal = z.looseObject({ entries: z.array(z.looseObject({ tag: z.string(), when: z.number() })) });
type Journal = z.infer<typeof Journal>;

/** Takes away what the Worker before it still uses, so it waits until that Worker is gone for good. */
export const isContract = (tag: string): boolean => /^\d+_contract_/.test(tag);

const readJournal = (folder: string) =>
  Journal.parse(JSON.parse(readFileSync(path.join(folder, "meta", "_journal.json"), "utf8")));

/** Any number that is not used otherwise for pg_advisory_lock in this database. */
const LOCK = 0x65_64_67_65;

/** Time of the newest migration that the database has; 0 for an empty one. */
async function appliedUntil(client: pg.Client): Promise<number> {
  const { rows } = await client.query("select to_regclass('drizzle.__drizzle_migrations') is not null as there");
  if (!z.object({ there: z.boolean() }).parse(rows[0]).there) return 0;
  const last = await client.query("select coalesce(max(created_at), 0)::text as at from drizzle.__drizzle_migrations");
  return Number(z.object({ at: z.string() }).parse(last.rows[0]).at);
}

/** Pending migrations: those that may run beside the old Worker, and those from the first contracting one on. */
function split(journal: Journal, appliedAt: number) {
  const pending = journal.entries.filter(({ when }) => when > appliedAt);
  const first = pending.findIndex(({ tag }) => isContract(tag));
  return { expand: first < 0 ? pending : pending.slice(0, first), rest: first < 0 ? [] : pending.slice(first) };
}

/** Runs the migrations of the journal that `keep` chooses; drizzle takes a folder, so it gets one with these only. */
async function migrateUntil(client: pg.Client, folder: string, journal: Journal, lastWhen: number): Promise<void> {
  const copy = mkdtempSync(path.join(tmpdir(), "edgeboard-migrations-"));
  try {
    cpSync(folder, copy, { recursive: true });
    mkdirSync(path.join(copy, "meta"), { recursive: true });
    const entries = journal.entries.filter(({ when }) => when <= lastWhen);
    writeFileSync(path.join(copy, "meta", "_journal.json"), JSON.stringify({ ...journal, entries }));
    await migrate(drizzle(client), { migrationsFolder: copy });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** A pooler would hand each statement to another session, and the lock with it. */
export const directUrl = (databaseUrl: string): string => databaseUrl.replace(/-pooler(?=\.[^/]*\.neon\.tech)/, "");

export type Migrated = { readonly applied: readonly string[]; readonly waiting: readonly string[] };

/**
 * Applies pending migrations over TCP, in one transaction, one deployment at a time. `expand` stops before the first
 * contracting one; `all` goes on.
 */
export async function applyPending(
  databaseUrl: string,
  upTo: "expand" | "all",
  folder = MIGRATIONS,
): Promise<Migrated> {
  const client = new pg.Client({ connectionString: directUrl(databaseUrl) });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    if (await isOfOtherMigrations(client, folder))
      throw new Error(
        "DATABASE_URL names a database that was made by another version of Edgeboard, whose migrations are not those of this " +
          "clone. Use an empty database, or deploy from the clone that made it",
      );
    const journal = readJournal(folder);
    const { expand, rest } = split(journal, await appliedUntil(client));
    const wanted = upTo === "all" ? [...expand, ...rest] : expand;
    const last = wanted.at(-1);
    if (last) await migrateUntil(client, folder, journal, last.when);
    const waiting = upTo === "all" ? [] : rest;
    return { applied: wanted.map(({ tag }) => tag), waiting: waiting.map(({ tag }) => tag) };
  } finally {
    await client.end();
  }
}
