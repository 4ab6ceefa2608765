/**
 * Puts the ranking library together from its parts in src/: the one way to its text, for the Worker's bundle, the tools, the
 * local stack and the tests.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { LIBRARY_NAME } from "./loader.ts";

const PARTS = path.join(import.meta.dirname, "src");
/** The part that includes all others and registers the functions. */
const ROOT_PART = "leaderboard";

const INCLUDE = /^--- @include(.*)$/gm;
const INCLUDED = /^ "([\w/-]+)"$/;

/** Lua has room for 200 locals in a function, and what the parts declare outside of functions is in one. */
const MOST_LOCALS = 200;
const TOP_LOCALS = /^local (?:function )?(\w+(?:, *\w+)*)/gm;

function includesOf(part: string, text: string): string[] {
  return [...text.matchAll(INCLUDE)].map(([line, rest = ""]) => {
    const name = INCLUDED.exec(rest)?.[1];
    if (name === undefined) throw new Error(`${part}.lua: no include is spelled ${line}`);
    return name;
  });
}

function readPart(folder: string, part: string, includer: string | undefined): string {
  try {
    return readFileSync(path.join(folder, `${part}.lua`), "utf8");
  } catch (cause) {
    throw new Error(`${includer ?? "the library"} includes ${part}, and there is no ${part}.lua`, { cause });
  }
}

/**
 * The text that Redis loads: each part once, behind the parts that it includes (`--- @include "shared/numbers"`). A comment names
 * each part; a part's line n is n lines below that comment.
 */
export function libraryText(folder = PARTS): string {
  const added = new Set<string>();
  const texts = [`#!lua name=${LIBRARY_NAME}\n`];
  const add = (part: string, trail: readonly string[]): void => {
    if (added.has(part)) return;
    if (trail.includes(part))
      throw new Error(`parts include each other: ${[...trail.slice(trail.indexOf(part)), part].join(" -> ")}`);
    const text = readPart(folder, part, trail.at(-1));
    for (const included of includesOf(part, text)) add(included, [...trail, part]);
    added.add(part);
    texts.push(`-- part: src/${part}.lua\n${text.trimEnd()}\n`);
  };
  add(ROOT_PART, []);
  const library = texts.join("\n");
  const locals = [...library.matchAll(TOP_LOCALS)].reduce((sum, [, names = ""]) => sum + names.split(",").length, 0);
  if (locals > MOST_LOCALS) throw new Error(`the parts declare ${locals} locals, and Lua takes ${MOST_LOCALS}`);
  return library;
}
