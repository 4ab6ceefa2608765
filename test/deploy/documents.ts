/** README.md, every page below docs/, and the READMEs of the folders: their code blocks and links. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../local/paths.ts";

export type Block = { readonly page: string; readonly line: number; readonly info: string; readonly text: string };
export type Link = { readonly page: string; readonly target: string };

/** What the repository consists of. */
export const FOLDERS = ["docs", "functions", "lua", "drizzle", "party", "client", "web", "local", "tools", "test"];

const below = (folder: string) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
    .map((name) => path.join(folder, name));

/** Pages by their path from the clone's top. */
export const PAGES: readonly string[] = ["README.md", ".github/SECURITY.md", ...FOLDERS.flatMap(below)];

/** What a user reads to run the service; the folders' own READMEs are for its developers. */
export const isForUsers = (page: string): boolean => page === "README.md" || page.startsWith("docs/");

export const readPage = (page: string): string => readFileSync(path.join(ROOT, page), "utf8");

export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: { info: string; line: number; lines: string[] } | undefined;
  for (const [i, line] of readPage(page).split("\n").entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (!fence) open?.lines.push(line);
    else if (open) {
      blocks.push({ page, line: open.line, info: open.info, text: open.lines.join("\n") });
      open = undefined;
    } else open = { info: (fence[1] ?? "").trim(), line: i + 1, lines: [] };
  }
  if (open) throw new Error(`${page}:${open.line}: a code block that does not close`);
  return blocks;
}

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");

export function linksOf(page: string): Link[] {
  return [...withoutCode(readPage(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({ page, target }));
}

/** GitHub's anchors of a page's headings. */
export function anchorsOf(page: string): Set<string> {
  const headings = [...withoutCode(readPage(page)).matchAll(/^#+ +(.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((h) =>
      h
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}
