/** docs/recipes.md says where a change goes: all that it names is there. */
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../local/paths.ts";
import { linksOf, readPage } from "../deploy/documents.ts";

const KINDS = ["A kind of board", "A route", "A Redis function", "A job", "A column"];

/** The recipes by name, each with the paths that it names: of `lua/src/<command>.lua` the folder. */
const recipes = new Map(
  readPage("docs/recipes.md")
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [name = ""] = text.split("\n");
      const paths = [...text.matchAll(/`([\w.-]+\/[^`\s]*|README\.md)`/g)].map(([, named = ""]) =>
        named.replace(/[^/]*<.*$/, ""),
      );
      return [name, paths] as const;
    }),
);

test("there is a recipe for each kind of change, and it names its files", () => {
  expect([...recipes.keys()].toSorted()).toEqual(KINDS.toSorted());
  for (const [name, paths] of recipes) expect(paths.length, name).toBeGreaterThan(5);
});

test.each([...recipes])("%s: every file and folder is there", (_, paths) => {
  expect(paths.filter((named) => !existsSync(path.join(ROOT, named)))).toEqual([]);
});

test("README.md, docs/README.md and docs/CONTRIBUTING.md lead there", () => {
  const pages = ["README.md", "docs/README.md", "docs/CONTRIBUTING.md"];
  const leads = (page: string) => linksOf(page).some(({ target }) => /(^|\/)recipes\.md$/.test(target));
  expect(pages.filter((page) => !leads(page))).toEqual([]);
});
