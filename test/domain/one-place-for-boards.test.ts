/**
 * Which boards there are, when they begin and how they are packed is known in functions/domain/board alone; all else passes boards
 * on as values. Otherwise a new kind of board has to be added in every file that tells the old ones apart by their names.
 */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SOURCES = "{functions,tools,local,client,party,web,lua}/**/*.{ts,mjs}";

/** Folders and files that may name boards, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  "functions/domain/board/": "the place itself",
  "functions/contract/": "the words of the API: patterns and examples of board names in the OpenAPI document",
  "functions/http/openapi.ts": "says in the document which boards there are",
  "functions/http/openapi-examples.ts": "examples of the document",
  "tools/rebuild/options.ts": "the help text of --board",
};

const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  "the name of the all-time board": /all-time/,
  "a week's name or a pattern of it": /-W(?:\d|\(|\[|\\d|\$\{)/,
  "functions of weeks": /\bboard\/week\.ts"/,
  "scores of one kind of board": /\b(?:weeklyScore|allTimeScore|WEEK_TIME_UNIT|ALL_TIME_EPOCH|ALL_TIME_SECONDS)\b/,
  "a kind of board": /\bkind\b\W{1,6}"(?:week|all)/,
};

/** Comments may speak of weeks. Strings with `//` in them stay: a comment of ours has a space or nothing before it. */
const withoutComments = (source: string) =>
  source.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/(^|\s)\/\/ .*$/gm, "$1");

const found = (source: string) =>
  Object.entries(FORBIDDEN).flatMap(([what, pattern]) => (pattern.test(withoutComments(source)) ? [what] : []));

const isAllowed = (file: string) => Object.keys(ALLOWED).some((allowed) => file.startsWith(allowed));

const files = globSync(SOURCES, { cwd: ROOT, exclude: ["**/node_modules/**", "web/dist/**"] });
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

describe("what boards there are", () => {
  it("is known in one place", () => {
    expect(files.length).toBeGreaterThan(200);
    const offending = files.filter((file) => !isAllowed(file)).map((file) => [file, found(read(file))]);
    expect(offending.filter(([, what]) => what?.length !== 0)).toEqual([]);
  });

  it.each(Object.keys(ALLOWED))("needs its exception for %s", (allowed) => {
    const excepted = files.filter((file) => file.startsWith(allowed));
    expect(excepted.some((file) => found(read(file)).length > 0)).toBe(true);
  });

  it.each([
    ['if (board === "all-time") return;', "the name of the all-time board"],
    ["sql`b.board = 'all-time'`", "the name of the all-time board"],
    ["const WEEK = /^\\d{4}-W\\d{2}$/;", "a week's name or a pattern of it"],
    ['const first = "2026-W42";', "a week's name or a pattern of it"],
    ["const name = `${year}-W${number}`;", "a week's name or a pattern of it"],
    ['import { weekOf } from "../../domain/board/week.ts";', "functions of weeks"],
    ["const score = weeklyScore(points, 0);", "scores of one kind of board"],
    ['if (board.kind === "week") return;', "a kind of board"],
    ['const board = { kind: "all-time" };', "a kind of board"],
  ])("would not be overlooked: %s", (source, what) => {
    expect(found(source)).toContain(what);
  });

  it.each(["/** Of `all-time`, or `2026-W42`. */", "  // the all-time board\n", "const a = 1; // 2026-W42\n"])(
    "may be spoken of in comments: %s",
    (source) => expect(found(source)).toEqual([]),
  );
});
