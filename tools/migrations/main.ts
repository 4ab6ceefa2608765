/**
 * `npm run migrations -- --name add_titles`: writes the migration that brings a database to the present schema and functions. Tables come
 * from drizzle-kit; a function file that changed is written whole, since `create or replace` of its text is all it takes.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { runTool } from "../command-line.ts";
import { hashesOf, MIGRATED, migratedFunctions, readFunctionFiles, type FunctionFile } from "./function-files.ts";

const ROOT = path.resolve(import.meta.dirname, "..", "..");
const MIGRATIONS = path.join(ROOT, "drizzle", "migrations");
const BREAK = "\n--> statement-breakpoint\n";

const newest = () =>
  readdirSync(MIGRATIONS)
    .filter((file) => file.endsWith(".sql"))
    .toSorted()
    .at(-1);

/** Runs drizzle-kit; the file that it wrote, undefined when there was nothing to write. */
function drizzleKit(name: string, ...more: string[]): string | undefined {
  const before = newest();
  const kit = path.join(ROOT, "node_modules", "drizzle-kit", "bin.cjs");
  const args = [kit, "generate", "--config", "drizzle/drizzle.config.ts", "--name", name, ...more];
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) throw new Error("drizzle-kit failed");
  const after = newest();
  return after === before ? undefined : after;
}

/** Bodies may name functions that a later statement creates. */
const statements = (files: readonly FunctionFile[]) =>
  ["set local check_function_bodies = off;", ...files.map(({ text }) => text.trimEnd())].join(BREAK);

/** Puts the functions after the changes of tables, if there are any. */
function writeFunctions(written: readonly FunctionFile[], migration: string): void {
  const file = path.join(MIGRATIONS, migration);
  const tables = readFileSync(file, "utf8").trimEnd();
  const isEmpty = tables.startsWith("-- Custom SQL migration file");
  writeFileSync(file, `${isEmpty ? "" : tables + BREAK}${statements(written)}\n`);
  console.log(`functions written to ${migration}: ${written.map(({ name }) => name).join(", ")}`);
}

const USAGE = `usage: npm run migrations -- --name <what_it_does>

Writes the migration for what changed in drizzle/schema and drizzle/functions. A name that begins with contract_ is for one that takes
something away.`;

type Options = { readonly name: string };

function parseOptions(args: readonly string[]): Options {
  const { name } = parseArgs({ args: [...args], options: { name: { type: "string" } } }).values;
  if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name)) throw new Error("--name is a name such as add_titles");
  return { name };
}

async function run({ name }: Options): Promise<number> {
  const files = readFunctionFiles();
  const migrated = migratedFunctions();
  const written = files.filter((file) => migrated[file.name] !== file.hash);
  const gone = Object.keys(migrated).filter((known) => !files.some((file) => file.name === known));
  const ofTables = drizzleKit(name);
  if (written.length > 0) {
    const migration = ofTables ?? drizzleKit(name, "--custom");
    if (migration === undefined) throw new Error("drizzle-kit wrote no migration");
    writeFunctions(written, migration);
  }
  if (gone.length > 0) console.log(`no file any more: ${gone.join(", ")}. Drop them in a migration named contract_…`);
  writeFileSync(MIGRATED, `${JSON.stringify(hashesOf(files), null, 2)}\n`);
  return 0;
}

await runTool({ usage: USAGE, parse: parseOptions, run });
