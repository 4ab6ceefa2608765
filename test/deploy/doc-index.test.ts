import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../local/paths.ts";
import { linksOf, PAGES, readPage } from "./documents.ts";

const pathOf = (page: string, target: string) => path.join(path.dirname(page), target.replace(/#.*/, ""));
const linkedFrom = (page: string) => new Set(linksOf(page).map(({ target }) => pathOf(page, target)));
const names = (folder: string) => readdirSync(path.join(ROOT, folder));

test("docs/README.md links every page of docs", () => {
  const linked = linkedFrom("docs/README.md");
  const pages = PAGES.filter((page) => path.dirname(page) === "docs" && page !== "docs/README.md");
  expect(pages.filter((page) => !linked.has(page))).toEqual([]);
});

test("README.md links the pages that a studio looks for first", () => {
  const linked = linkedFrom("README.md");
  const first = ["getting-started", "can-it", "limits", "costs", "live"].map((name) => `docs/${name}.md`);
  expect(first.filter((page) => !linked.has(page))).toEqual([]);
});

test("the pages of every folder are read, those of client, web and tools too", () => {
  const folders = new Set(PAGES.map((page) => page.split("/")[0]));
  expect(["client", "docs", "local", "lua", "test", "tools", "web"].filter((folder) => !folders.has(folder))).toEqual(
    [],
  );
});

test("README.md's table of routes has every route", () => {
  const routes = names("functions/http/routes").flatMap((file) => [
    ...readFileSync(path.join(ROOT, "functions/http/routes", file), "utf8").matchAll(/^ {2}path: ["`](\S+)["`],$/gm),
  ]);
  expect(routes.length).toBeGreaterThan(15);
  const table =
    readPage("README.md")
      .match(/^\| `(GET|POST|PUT|DELETE).*$/gm)
      ?.join("\n") ?? "";
  // The table names a route by its last part, as in `/players/{player}/ban` or `…/export`.
  const lastPart = (route: string) =>
    route.replace(/^(\/v1\/games\/\{game\}|\$\{BASE\})/, "").replace(/^.*\}(?=\/)/, "");
  const missing = routes.map(([, route = ""]) => lastPart(route)).filter((part) => !table.includes(part));
  expect(missing).toEqual([]);
});

test("docs/data-model.md has every table and every kind of key", () => {
  const model = readPage("docs/data-model.md");
  const tables = names("drizzle/schema").flatMap((file) => [
    ...readFileSync(path.join(ROOT, "drizzle/schema", file), "utf8").matchAll(/pgTable\(\s*"(\w+)"/g),
  ]);
  expect(tables.length).toBeGreaterThan(10);
  expect(tables.map(([, table]) => table).filter((table) => !model.includes(`| \`${table}\` |`))).toEqual([]);
  const keys = readFileSync(path.join(ROOT, "functions/adapters/redis/keys.ts"), "utf8");
  const parts = [...keys.matchAll(/\}:([a-z-]+)/g), ...keys.matchAll(/"lb:([a-z:]+)"/g)].map(([, part = ""]) => part);
  expect(parts.length).toBeGreaterThan(8);
  expect(parts.filter((part) => !model.includes(`:${part}`))).toEqual([]);
});

test("docs/scale.md has the commands of a submission that lua/README.md counts", () => {
  const table = new Map(
    [...readPage("lua/README.md").matchAll(/^\| ([^|]+) \| (\d+) \|$/gm)].map(([, kind = "", n]) => [kind, n]),
  );
  expect(table.get("no best")).toBe("5");
  const costs = [...readPage("docs/scale.md").matchAll(/^\| ([^|]+) \| (\d+) \| \$\d+ \|$/gm)];
  expect(costs.length).toBeGreaterThan(4);
  expect(costs.filter(([, kind = "", commands]) => table.get(kind) !== commands).map(([row]) => row)).toEqual([]);
});
