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
  readonly headers: [string, string][];
}

/** Cloudflare's `_headers`: a line with a path (`*` at its end stands for anything), then indented `Name: value` lines. */
function parseHeaders(text: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    if (!/^\s/.test(line)) rules.push({ pattern: line.trim(), headers: [] });
    else {
      const colon = line.indexOf(":");
      rules.at(-1)?.headers.push([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]);
    }
  }
  return rules;
}

const matches = (pattern: string, file: string) =>
  pattern.endsWith("*") ? file.startsWith(pattern.slice(0, -1)) : pattern === file;

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
      const url = `/${name.split(path.sep).join("/")}`;
      return {
        file,
        path: url,
        binding: `EDGEBOARD_FILE_${i}`,
        etag: `"${createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 32)}"`,
        contentType: TYPES[path.extname(name)] ?? "application/octet-stream",
        headers: rules.filter(({ pattern }) => matches(pattern, url)).flatMap((rule) => rule.headers),
      };
    });
}
