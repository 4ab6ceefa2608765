import { readFileSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { MIGRATIONS } from "../../local/migrate.ts";
import { applyPending, directUrl, isContract } from "../../tools/deploy/migrations.ts";
import { scratchDatabase, type ScratchDatabase } from "./scratch-database.ts";

let folder: string;
let database: ScratchDatabase;

/** A database of this test's own, and a copy of the migrations that it may add to. */
beforeEach(async () => {
  database = await scratchDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "edgeboard-deploy-test-"));
  await cp(MIGRATIONS, folder, { recursive: true });
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const Journal = z.looseObject({ entries: z.array(z.looseObject({ idx: z.int(), tag: z.string(), when: z.number() })) });

async function addMigration(name: string, sql: string): Promise<string> {
  const file = path.join(folder, "meta", "_journal.json");
  const journal = Journal.parse(JSON.parse(await readFile(file, "utf8")));
  const last = journal.entries.at(-1);
  const idx = (last?.idx ?? -1) + 1;
  const tag = `${String(idx).padStart(4, "0")}_${name}`;
  journal.entries.push({ ...last, idx, tag, when: (last?.when ?? 0) + 1_000 });
  await writeFile(file, JSON.stringify(journal));
  await writeFile(path.join(folder, `${tag}.sql`), sql);
  return tag;
}

const columns = async () => {
  const { rows } = await database.client.query(
    "select column_name from information_schema.columns where table_name = 'games'",
  );
  return rows.map((row) => z.object({ column_name: z.string() }).parse(row).column_name);
};

test("a deployment applies what expands the schema and leaves what contracts it for later", async () => {
  await applyPending(database.url, "all", folder);
  const expanding = await addMigration("more", "alter table games add column note text");
  const contracting = await addMigration("contract_more", "alter table games drop column note");
  const after = await addMigration("later", "alter table games add column later text");

  const deployed = await applyPending(database.url, "expand", folder);
  expect(deployed).toEqual({ applied: [expanding], waiting: [contracting, after] });
  expect(await columns()).toContain("note");

  const again = await applyPending(database.url, "expand", folder);
  expect(again).toEqual({ applied: [], waiting: [contracting, after] });

  const contracted = await applyPending(database.url, "all", folder);
  expect(contracted).toEqual({ applied: [contracting, after], waiting: [] });
  expect(await columns()).not.toContain("note");
  expect(await columns()).toContain("later");
});

test("two deployments at once apply every migration once", async () => {
  const results = await Promise.all([
    applyPending(database.url, "expand", folder),
    applyPending(database.url, "expand", folder),
  ]);
  expect(results.map(({ applied }) => applied.length).sort((a, b) => a - b)[0]).toBe(0);
});

test("a database that other migrations made is refused in words, and nothing is changed", async () => {
  await applyPending(database.url, "all", folder);
  await database.client.query("update drizzle.__drizzle_migrations set hash = 'of another version', created_at = 1");
  await addMigration("more", "alter table games add column more text");
  await expect(applyPending(database.url, "expand", folder)).rejects.toThrow("made by another version");
  expect(await columns()).not.toContain("more");
});

test("a Worker of the release before may be deployed on a database that has newer migrations", async () => {
  const newer = await addMigration("newer", "alter table games add column newer text");
  expect((await applyPending(database.url, "expand", folder)).applied).toContain(newer);
  expect(await applyPending(database.url, "expand")).toEqual({ applied: [], waiting: [] });
});

test("a migration that fails changes nothing", async () => {
  await applyPending(database.url, "all", folder);
  await addMigration("good", "alter table games add column half text");
  await addMigration("bad", "alter table games add column half text");
  await expect(applyPending(database.url, "expand", folder)).rejects.toThrow();
  expect(await columns()).not.toContain("half");
});

test("migrations go around Neon's pooler, which would lose the lock", () => {
  const pooled = "postgresql://u:p@ep-a-1-pooler.eu-central-1.aws.neon.tech/db?sslmode=require";
  expect(directUrl(pooled)).toBe("postgresql://u:p@ep-a-1.eu-central-1.aws.neon.tech/db?sslmode=require");
  expect(directUrl("postgresql://u:p@my-pooler.example.com/db")).toBe("postgresql://u:p@my-pooler.example.com/db");
});

test("no migration after the first release takes away what the Worker before it uses, unless its name says contract", () => {
  // Statements, not words: comments and the bodies of functions may say anything.
  const TAKES_AWAY =
    /^\s*(drop (table|column|function|view)|alter table [^;]*(drop column|rename|set not null|type ))/im;
  const { entries } = Journal.parse(JSON.parse(readFileSync(path.join(MIGRATIONS, "meta", "_journal.json"), "utf8")));
  const offenders = entries.filter(({ tag, idx }) => {
    const sql = readFileSync(path.join(MIGRATIONS, `${tag}.sql`), "utf8");
    const outside = sql.replace(/--.*$/gm, "").replace(/\$\$[\s\S]*?\$\$/g, "");
    return idx > FIRST_RELEASE && !isContract(tag) && TAKES_AWAY.test(outside);
  });
  expect(offenders.map(({ tag }) => tag)).toEqual([]);
});

/** Number of the migration that the first release is deployed with, onto an empty database. */
const FIRST_RELEASE = 0;
