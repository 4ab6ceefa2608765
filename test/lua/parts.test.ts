import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import luaparse, { type Chunk } from "luaparse";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { libraryText } from "../../lua/library.ts";
import { LIBRARY_NAME } from "../../lua/loader.ts";
import { NODE, ROOT } from "../../local/paths.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "edgeboard-parts-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The text of a library of these parts: name, the parts it includes, its code. */
function built(parts: Readonly<Record<string, readonly [includes: readonly string[], code: string]>>): string {
  for (const [part, [includes, code]] of Object.entries(parts)) {
    const file = path.join(folder, `${part}.lua`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, [...includes.map((name) => `--- @include "${name}"`), code, ""].join("\n"));
  }
  return libraryText(folder);
}

const codeOf = (text: string) => text.split("\n").filter((line) => line !== "" && !/^(--|#!)/.test(line));

describe("the library's text", () => {
  it("has each part once, behind all that it includes", () => {
    const text = built({
      leaderboard: [["b", "a"], "root()"],
      a: [["shared/c"], "a()"],
      b: [["shared/c", "a"], "b()"],
      "shared/c": [[], "c()"],
    });
    expect(codeOf(text)).toEqual(["c()", "a()", "b()", "root()"]);
    expect(text.startsWith(`#!lua name=${LIBRARY_NAME}\n`)).toBe(true);
  });

  it("names each part, n lines above its line n", () => {
    const lines = built({ leaderboard: [["a"], "\nroot()"], a: [[], "\n\na()"] }).split("\n");
    expect(lines[lines.indexOf("-- part: src/a.lua") + 3]).toBe("a()");
    expect(lines[lines.indexOf("-- part: src/leaderboard.lua") + 3]).toBe("root()");
  });

  it("is refused when parts include each other, and the circle is named", () => {
    const parts = { leaderboard: [["a"], ""], a: [["b"], ""], b: [["c"], ""], c: [["a"], ""] } as const;
    expect(() => built(parts)).toThrow("parts include each other: a -> b -> c -> a");
    expect(() => built({ ...parts, a: [["a"], ""] })).toThrow("parts include each other: a -> a");
  });

  it("is refused with a part that is not there, named with the one that includes it", () => {
    expect(() => built({ leaderboard: [["a"], ""], a: [["shared/b"], ""] })).toThrow(
      "a includes shared/b, and there is no shared/b.lua",
    );
  });

  it.each([
    "--- @include 'a'",
    '--- @include "../a"',
    '--- @include "a.lua"',
    '--- @include "a" -- why',
    "--- @include a",
  ])("is refused when an include is spelled %s", (line) => {
    expect(() => built({ leaderboard: [[], line], a: [[], ""] })).toThrow(
      `leaderboard.lua: no include is spelled ${line}`,
    );
  });

  it("is refused with more locals outside of functions than Lua takes, however they are declared", () => {
    const locals = (count: number) => Array.from({ length: count }, (_, i) => `local x${i}`).join("\n");
    const others = "local function f()\n  local inside\nend\nlocal a, b = 1, 2";
    expect(() => built({ leaderboard: [["a"], others], a: [[], locals(197)] })).not.toThrow();
    expect(() => built({ leaderboard: [["a"], others], a: [[], locals(198)] })).toThrow(
      "201 locals, and Lua takes 200",
    );
  });
});

const SOURCE = path.join(ROOT, "lua", "src");
/** What Redis gives a library: it refuses to write any other global, but reads one as nil. */
const GLOBALS = new Set("redis tonumber type math table unpack error ipairs pairs".split(" "));

/** Chunks have it when scopes are asked for; luaparse's types do not know. */
const Scoped = z.looseObject({ globals: z.array(z.looseObject({ name: z.string() })) });

/** The names that are no local where they stand, and nothing that Redis gives. */
function undeclaredIn(chunk: Chunk): string[] {
  return Scoped.parse(chunk)
    .globals.map(({ name }) => name)
    .filter((name) => !GLOBALS.has(name));
}

/** Redis' Lua, with the scopes of names. */
const parse = (text: string) => luaparse.parse(text, { scope: true, luaVersion: "5.1" });

/** A part's includes, the names that it declares outside of functions, and those that it uses and does not declare. */
function namesOf(part: string) {
  const text = readFileSync(path.join(SOURCE, `${part}.lua`), "utf8");
  const chunk = parse(text);
  return {
    includes: [...text.matchAll(/^--- @include "(.+)"$/gm)].map(([, name = ""]) => name).toSorted(),
    exports: chunk.body.flatMap((statement) => {
      if (statement.type === "LocalStatement") return statement.variables.map(({ name }) => name);
      if (statement.type !== "FunctionDeclaration" || statement.identifier?.type !== "Identifier") return [];
      return statement.isLocal ? [statement.identifier.name] : [];
    }),
    free: undeclaredIn(chunk),
  };
}

const parts = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".lua"))
  .map((name) => name.slice(0, -".lua".length));

describe("lua/src", () => {
  const names = new Map(parts.map((part) => [part, namesOf(part)]));
  const homes = new Map([...names].flatMap(([part, { exports }]) => exports.map((name) => [name, part] as const)));

  it.each(parts)("%s includes the parts whose names it uses, and no others", (part) => {
    const { includes = [], free = [] } = names.get(part) ?? {};
    const needed = new Set(free.map((name) => homes.get(name) ?? `nobody declares ${name}`));
    expect(includes).toEqual([...needed].toSorted());
  });

  it("uses no global but what Redis gives, wherever a name stands in the whole text", () => {
    expect(undeclaredIn(parse(libraryText()))).toEqual([]);
  });

  it("has no name twice", () => {
    const all = [...names.values()].flatMap(({ exports }) => exports);
    expect(all.toSorted()).toEqual([...homes.keys()].toSorted());
  });

  it("has short parts, and all of them are in the library", () => {
    const text = libraryText();
    for (const part of parts) {
      expect(text).toContain(`\n-- part: src/${part}.lua\n`);
      expect(readFileSync(path.join(SOURCE, `${part}.lua`), "utf8").split("\n").length).toBeLessThan(250);
    }
  });

  it("reaches wrangler's bundler as the text that everything else loads", () => {
    execFileSync(NODE, [path.join(ROOT, "lua", "build.ts")]);
    expect(readFileSync(path.join(ROOT, "lua", "dist", "leaderboard.lua"), "utf8")).toBe(libraryText());
  });
});
