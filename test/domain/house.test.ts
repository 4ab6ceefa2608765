/** Rules of the house that no linter knows: docs/CONTRIBUTING.md, "Rules of the house". */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../local/paths.ts";

const MAX_LINES = 250;
const GENERATED = ["**/node_modules/**", "web/dist/**", "lua/dist/**", "drizzle/migrations/**"];
const OURS = "{functions,drizzle,lua,party,client,web,local,tools,docs}/**/*.{ts,mjs,lua,sql,md,css,html,sh,gd,cs}";
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

const files = ["README.md", ...globSync(OURS, { cwd: ROOT, exclude: GENERATED })];

/** Words that only their author understands, and what the field says instead; docs/glossary.md has the words that we use. */
const PRIVATE_WORDS: Readonly<Record<string, RegExp>> = {
  "missing or ready, of a game": /\b(?:cold|warm)(?:_?games?|ness)?\b|\bcold[A-Z]/i,
  removals: /\bleavers?\b/i,
  "a cache, with get and set": /\bshel(?:f|ves)\b/i,
  staleness: /\bdoubt/i,
  "to reconcile, to serve": /\btends?\b(?! to)/i,
  "rebuild id": /\bincarnation/i,
  "the source": /whence/i,
};

const offending = (text: string) =>
  Object.entries(PRIVATE_WORDS).flatMap(([instead, pattern]) => (pattern.test(text) ? [`say: ${instead}`] : []));

describe("files", () => {
  it(`of ours have ${MAX_LINES} lines at most`, () => {
    expect(files.length).toBeGreaterThan(400);
    const long = files.filter((file) => read(file).trimEnd().split("\n").length > MAX_LINES);
    expect(long).toEqual([]);
  });

  it("use the words of the field", () => {
    const found = files.map((file) => ({ file, instead: offending(read(file)) }));
    // The history says which words there were.
    const pages = found.filter(({ file }) => file !== "docs/CHANGELOG.md");
    expect(pages.filter(({ instead }) => instead.length > 0)).toEqual([]);
  });

  it.each(["a cold game", "coldGames", "cold_games", "the leavers", "topShelf, a shelf", "in doubt", "sayWhence"])(
    "would not keep: %s",
    (text) => expect(offending(text)).not.toEqual([]),
  );
});
