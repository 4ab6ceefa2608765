/** drizzle/functions is what a migrated database has, and `npm run migrations` keeps it so (drizzle/README.md). */
import { spawnSync } from "node:child_process";
import { appendFile, cp, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { ROOT } from "../../local/paths.ts";
import { MIGRATIONS } from "../../local/migrate.ts";
import { applyPending } from "../../tools/deploy/migrations.ts";
import { hashesOf, migratedFunctions, readFunctionFiles } from "../../tools/migrations/function-files.ts";
import { scratchDatabase, type ScratchDatabase } from "./scratch-database.ts";

const files = readFunctionFiles();

let database: ScratchDatabase;
beforeEach(async () => {
  database = await scratchDatabase();
  await applyPending(database.url, "all");
});
afterEach(() => database.drop());

/** What every function of the database is, by name and arguments. */
async function definitions(): Promise<{ name: string; text: string }[]> {
  const { rows } = await database.client.query(
    `select proname as name, pg_get_functiondef(oid) as text from pg_proc
      where pronamespace = 'public'::regnamespace order by oid::regprocedure::text`,
  );
  return z.array(z.object({ name: z.string(), text: z.string() })).parse(rows);
}

describe("the function files", () => {
  test("are what a migrated database has: no other text, no other function", async () => {
    const migrated = await definitions();
    await database.client.query("begin");
    await database.client.query("set local check_function_bodies = off");
    for (const { text } of files) await database.client.query(text);
    expect(await definitions()).toEqual(migrated);
    await database.client.query("rollback");
    expect(migrated.map(({ name }) => name).sort()).toEqual(files.map(({ name }) => name).sort());
    expect(migratedFunctions()).toEqual(hashesOf(files));
  });

  test("say who calls them, and something does", async () => {
    const sources = ["functions", "tools", "local"];
    const names = await Promise.all(sources.map((folder) => readdir(path.join(ROOT, folder), { recursive: true })));
    const paths = names.flatMap((list, i) => list.map((name) => path.join(ROOT, sources[i] ?? "", name)));
    const callers = new Map<string, string>();
    for (const file of paths.filter((name) => name.endsWith(".ts"))) callers.set(file, await readFile(file, "utf8"));
    for (const { name, text } of files) callers.set(`${name}.sql`, text.replace(/--.*$/gm, ""));
    const { rows } = await database.client.query(
      "select string_agg(pg_get_triggerdef(oid), ';') as text from pg_trigger where not tgisinternal",
    );
    callers.set("triggers", z.object({ text: z.string() }).parse(rows[0]).text);

    for (const { name, text } of files) {
      // The last paragraphs of a header say why; the one before names the callers.
      const [header = ""] = text.split("create or replace function");
      const [, calledBy = ""] = /-- Called by: (.*?)(\n--\n|$)/s.exec(header.trimEnd()) ?? [];
      expect(calledBy, name).not.toBe("");
      expect(text.split("\n").length, name).toBeLessThanOrEqual(120);
      const found = [...callers].filter(([from, it]) => from !== `${name}.sql` && new RegExp(`\\b${name}\\(`).test(it));
      // A version that only Workers of the release before call, until a migration takes it away.
      if (calledBy.startsWith("Workers of the release before")) continue;
      expect(found, name).not.toEqual([]);
      // Whom the header names calls it.
      for (const [caller] of calledBy.matchAll(/[\w./-]+\.ts|\w+_v\d+/g)) {
        const from = caller.endsWith(".ts") ? path.join(ROOT, caller) : `${caller}.sql`;
        if (caller !== name)
          expect(
            found.map(([file]) => file),
            name,
          ).toContain(from);
      }
    }
  });
});

describe("npm run migrations", () => {
  let copy: string;
  beforeEach(async () => {
    copy = await mkdtemp(path.join(tmpdir(), "edgeboard-migrations-test-"));
    for (const part of ["package.json", "drizzle", "tools/migrations", "tools/command-line.ts", "local/failure.ts"]) {
      await cp(path.join(ROOT, part), path.join(copy, part), { recursive: true });
    }
    await symlink(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  });
  afterEach(() => rm(copy, { recursive: true }));

  const inCopy = (...parts: string[]) => path.join(copy, "drizzle", ...parts);
  const run = (name: string) => {
    const tool = path.join(copy, "tools", "migrations", "main.ts");
    const { status, stdout, stderr } = spawnSync(process.execPath, [tool, "--name", name], { encoding: "utf8" });
    expect(status, stderr).toBe(0);
    return stdout;
  };
  const written = async () => {
    const before = new Set(await readdir(MIGRATIONS));
    return (await readdir(inCopy("migrations"))).filter((file) => !before.has(file));
  };

  test("writes the functions whose files changed, whole, and no other", async () => {
    const file = inCopy("functions", "known_game_v1.sql");
    const changed = (await readFile(file, "utf8")).replace("select exists (", "select true and exists (");
    await writeFile(file, changed);
    run("known_twice");
    const [migration = "", ...more] = await written();
    expect(migration).toMatch(/^\d{4}_known_twice\.sql$/);
    expect(more).toEqual([]);
    expect(await readFile(inCopy("migrations", migration), "utf8")).toBe(
      `set local check_function_bodies = off;\n--> statement-breakpoint\n${changed}`,
    );

    const before = await definitions();
    await applyPending(database.url, "expand", inCopy("migrations"));
    const after = await definitions();
    const different = after.filter(({ text }, i) => text !== before[i]?.text);
    expect(different.map(({ name }) => name)).toEqual(["known_game_v1"]);

    run("nothing_more");
    expect(await written()).toEqual([migration]);
  });

  test("puts a function after the tables that change with it", async () => {
    await appendFile(
      inCopy("schema", "columns.ts"),
      `import { pgTable } from "drizzle-orm/pg-core";\nexport const notes = pgTable("notes", { note: byteText("note") });\n`,
    );
    await writeFile(
      inCopy("functions", "notes_v1.sql"),
      "create or replace function notes_v1() returns setof notes language sql as $$ select * from notes $$;\n",
    );
    expect(run("add_notes")).toContain("notes_v1");
    expect(await written()).toHaveLength(1);
    await applyPending(database.url, "expand", inCopy("migrations"));
    await database.client.query("insert into notes values ('here')");
    expect((await database.client.query("select * from notes_v1()")).rows).toEqual([{ note: "here" }]);
  });

  test("names the functions whose files are gone, which only a contracting migration may drop", async () => {
    await rm(inCopy("functions", "known_game_v1.sql"));
    expect(run("unknown")).toContain("no file any more: known_game_v1");
    expect(await written()).toEqual([]);
  });
});
