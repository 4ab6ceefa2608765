/** Every folder says what is in it, and every file that a page names is there. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../local/paths.ts";
import { FOLDERS, PAGES, readPage } from "../deploy/documents.ts";

const GENERATED = new Set(["node_modules", "dist"]);
/** Made by a run, and named by pages all the same. */
const MADE = /(^|\/)(stack|secrets|processes)\.json$|^dist\//;

const entries = (folder: string) =>
  readdirSync(path.join(ROOT, folder), { withFileTypes: true }).filter(({ name }) => !GENERATED.has(name));
const foldersIn = (folder: string): string[] =>
  entries(folder).flatMap((entry) => (entry.isDirectory() ? [path.join(folder, entry.name)] : []));
const filesBelow = (folder: string): string[] =>
  entries(folder).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(name) : [name];
  });

test("every folder of the first two levels has a README, and every wing of services", () => {
  const folders = [...FOLDERS, ...FOLDERS.flatMap(foldersIn), ...foldersIn("functions/services")];
  expect(folders.length).toBeGreaterThan(50);
  expect(folders.filter((folder) => !existsSync(path.join(ROOT, folder, "README.md")))).toEqual([]);
});

test("the README of a wing of services names each of its files", () => {
  const missing = foldersIn("functions/services").flatMap((wing) => {
    const page = readPage(path.join(wing, "README.md"));
    return filesBelow(wing).filter((file) => file.endsWith(".ts") && !page.includes(`\`${path.basename(file)}\``));
  });
  expect(missing).toEqual([]);
});

/** `a/b.ts`, `b.ts`, `test/http/submit.*.test.ts`: files whose path ends so. */
const NAMED = /`((?:[\w.*-]+\/)*[\w.*-]+\.(?:ts|mjs|lua|sql|md|sh|json|css|html|toml|go|cs|gd))`/g;

test("every file that a page names is there", () => {
  const all = [...readdirSync(ROOT), ...FOLDERS.flatMap(filesBelow)].map((file) => `/${file}`);
  const isThere = (name: string) => {
    const ending = name.replace(/^(\.\.\/)+/, "").replaceAll(/[.+]/g, "\\$&");
    const pattern = new RegExp(`/${ending.replaceAll("*", "[^/]*")}$`);
    return all.some((file) => pattern.test(file));
  };
  const named = PAGES.flatMap((page) => [...readPage(page).matchAll(NAMED)].map(([, name = ""]) => ({ page, name })));
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter(({ name }) => !MADE.test(name) && !isThere(name))).toEqual([]);
});
