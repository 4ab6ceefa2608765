/** The SQL functions as files: `drizzle/functions/<name>.sql` is the present text of the function `<name>`. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const DRIZZLE = path.resolve(import.meta.dirname, "..", "..", "drizzle");
const FUNCTIONS = path.join(DRIZZLE, "functions");
/** SHA-256 of the text of each function that migrations have written. Not in `meta`, where drizzle-kit expects nothing but its own. */
export const MIGRATED = path.join(DRIZZLE, "migrations", "functions.json");

export interface FunctionFile {
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text. */
  readonly hash: string;
}

/** Every function file, by name. Throws for a file whose text does not create or replace the function it is named after. */
export function readFunctionFiles(): FunctionFile[] {
  const files = readdirSync(FUNCTIONS).filter((file) => file.endsWith(".sql"));
  return files.toSorted().map((file) => {
    const name = path.basename(file, ".sql");
    const text = readFileSync(path.join(FUNCTIONS, file), "utf8");
    const created = [...text.matchAll(/^create or replace function (\w+)\(/gm)].map(([, it]) => it);
    if (created.length !== 1 || created[0] !== name)
      throw new Error(`drizzle/functions/${file} has to \`create or replace function ${name}(\` and nothing else`);
    return { name, text, hash: createHash("sha256").update(text).digest("hex") };
  });
}

const Hashes = z.record(z.string(), z.string());

/** What migrations have written so far: hashes by function. */
export const migratedFunctions = () => Hashes.parse(JSON.parse(readFileSync(MIGRATED, "utf8")));

export const hashesOf = (files: readonly FunctionFile[]) =>
  Object.fromEntries(files.map(({ name, hash }) => [name, hash]));
