import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Asset } from "./local-binding.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

interface Rule {
  readonly pattern: string;
  /** Names of headers that earlier rules gave and this one takes away: a line with `! Name`. */
  readonly unset: string[];
  readonly headers: [string, string][];
}

/** Cloudflare's `_headers`: a line with a path (`*` at its end stands for anything), then indented `Name: value` lines. */
function parseHeaders(text: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of text.split("\n").map((each) => each.trimEnd())) {
    if (line === "" || line.startsWith("#")) continue;
    const content = line.trimStart();
    const colon = content.indexOf(":");
    if (content === line) rules.push({ pattern: line, unset: [], headers: [] });
    else if (content.startsWith("! ")) rules.at(-1)?.unset.push(content.slice(2).toLowerCase());
    else rules.at(-1)?.headers.push([content.slice(0, colon).toLowerCase(), content.slice(colon + 1).trim()]);
  }
  return rules;
}

const matches = (pattern: string, address: string) =>
  pattern.endsWith("*") ? address.startsWith(pattern.slice(0, -1)) : pattern === address;

/** What all rules together say of an address. */
const headersOf = (rules: readonly Rule[], address: string) =>
  rules
    .filter(({ pattern }) => matches(pattern, address))
    .reduce<[string, string][]>(
      (all, { unset, headers }) => [...all.filter(([name]) => !unset.includes(name)), ...headers],
      [],
    );

/** Where a file is, and the addresses that lead there: Cloudflare's `html_handling = "auto-trailing-slash"`. */
function addressesOf(file: string): { at: string; from: readonly string[] } {
  if (file === "/index.html") return { at: "/", from: [file, "/index"] };
  if (!file.endsWith(".html")) return { at: file, from: [] };
  const at = file.slice(0, -".html".length);
  return { at, from: [file, `${at}/`, `${at}/index`, `${at}/index.html`] };
}

export interface StaticFile extends Asset {
  /** Where the bytes are. */
  readonly file: string;
}

/** Every file below a folder with the headers that Cloudflare would send. */
export function staticFiles(folder: string): StaticFile[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  const rules = names.includes("_headers") ? parseHeaders(readFileSync(path.join(folder, "_headers"), "utf8")) : [];
  return names
    .filter((name) => name !== "_headers")
    .map((name, i) => {
      const file = path.join(folder, name);
      const { at, from } = addressesOf(`/${name.split(path.sep).join("/")}`);
      return {
        file,
        path: at,
        binding: `EDGEBOARD_FILE_${i}`,
        etag: `"${createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 32)}"`,
        contentType: TYPES[path.extname(name)] ?? "application/octet-stream",
        headers: headersOf(rules, at),
        redirects: from.map((address) => ({ path: address, headers: headersOf(rules, address) })),
      };
    });
}
