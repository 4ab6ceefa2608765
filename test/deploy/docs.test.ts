import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { BOARD_PLAYERS, FEED_HARD_CAP, UPSTASH_LIMITS } from "../../functions/domain/platform-limits.ts";
import { ROOT } from "../../local/paths.ts";
import { anchorsOf, blocksOf, isForUsers, linksOf, PAGES } from "./documents.ts";

/** Blocks that are read and not run: shapes of data, configuration, diagrams, file trees. */
const NOT_COMMANDS = new Set([
  "json",
  "http",
  "sql",
  "lua",
  "toml",
  "text",
  "mermaid",
  "ts",
  "yaml sample",
  "sh sample",
]);

/**
 * Who runs a command that stands in a page. Every other command is in a block that says why no test runs it: `account`
 * (it needs accounts), or `long` (it takes too long).
 */
const RUN_BY: readonly (readonly [command: RegExp, by: string])[] = [
  [/^npm start$/, "test/local"],
  [/^npm test$/, ".ci/run"],
  [/^npm run demo( -- .*)?$/, "test/deploy/commands.test.ts"],
  [/^npm run (doctor|rebuild|keys|badges)( -- .*)?$/, "test/deploy/commands.test.ts"],
  [/^npm run verify$/, "test/run.ts"],
  [/^npm test -- [\w/. -]+( --name "[^"]+")?$/, "test/local/command-lines.test.ts"],
  [/^npm run deploy -- --env production --dry-run$/, "test/deploy/dry-run.test.ts"],
  [/^bash docs\/examples\/curl\.sh$/, "test/deploy/examples.test.ts"],
  [/^node tools\/run\.mjs docs\/examples\/typescript\.ts$/, "test/deploy/examples.test.ts"],
  [/^node docs\/examples\/player-token\.mjs \S+ \S+$/, "test/deploy/examples.test.ts"],
  [/^npx esbuild --servedir=docs\/examples --serve=localhost:8000$/, "test/e2e/own-page.test.ts"],
  [/^curl /, "test/deploy/commands.test.ts"],
];

const blocks = PAGES.filter(isForUsers).flatMap(blocksOf);
const where = ({ page, line }: { page: string; line: number }) => `${page}:${line}`;

/** The commands of a block, one an entry: continued lines are joined, comments left out. */
const commandsOf = (text: string) =>
  text
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));

test("every code block says what it is", () => {
  const unknown = blocks.filter(({ info }) => !NOT_COMMANDS.has(info) && !/^bash( account| long)?$/.test(info));
  expect(unknown.map((block) => `${where(block)} ${block.info}`)).toEqual([]);
});

test("every command in a page is run by a test, or its block says why not", () => {
  const nobody = blocks
    .filter(({ info }) => info === "bash")
    .flatMap((block) => commandsOf(block.text).map((command) => ({ command, at: where(block) })))
    .filter(({ command }) => !RUN_BY.some(([known]) => known.test(command)));
  expect(nobody).toEqual([]);
});

test("npm scripts and files that pages name exist", () => {
  const Package = z.object({ scripts: z.record(z.string(), z.string()) });
  const { scripts } = Package.parse(JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")));
  const text = PAGES.filter(isForUsers)
    .map((page) => readFileSync(path.join(ROOT, page), "utf8"))
    .join("\n");
  const named = [...text.matchAll(/npm run ([a-z][a-z:-]*)/g)].map(([, name = ""]) => name);
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
  const files = [
    ...text.matchAll(/`((?:functions|lua|drizzle|party|client|web|local|tools|test|docs)\/[\w./-]+\.\w+)`/g),
  ];
  const missing = files.map(([, file = ""]) => file).filter((file) => !existsSync(path.join(ROOT, file)));
  expect([...new Set(missing)]).toEqual([]);
});

test("links between pages lead somewhere, anchors included", () => {
  const broken = PAGES.flatMap(linksOf).filter(({ page, target }) => {
    if (/^(https?:|mailto:)/.test(target)) return false;
    const [file = "", anchor] = target.split("#");
    const to = file === "" ? page : path.join(path.dirname(page), file);
    if (!existsSync(path.join(ROOT, to))) return true;
    return anchor !== undefined && to.endsWith(".md") && !anchorsOf(to).has(anchor);
  });
  expect(broken).toEqual([]);
});

test("the pages that say how large a board or a feed may become say what the code keeps to", () => {
  const players = `about ${BOARD_PLAYERS.toLocaleString("en")} players`;
  for (const page of ["README.md", "docs/scale.md", "docs/deploy.md"]) {
    const text = readFileSync(path.join(ROOT, page), "utf8").replaceAll(/\s+/g, " ");
    expect(text, page).toContain(players);
    expect(text, page).toContain(`${UPSTASH_LIMITS.keyBytes / 1024 / 1024} MB`);
  }
  const scale = readFileSync(path.join(ROOT, "docs/scale.md"), "utf8");
  expect(scale).toContain(`${FEED_HARD_CAP.toLocaleString("en")} entries`);
});
