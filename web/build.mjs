/** Builds the page into dist/, the folder that the Worker serves as static assets. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { scalarScript } from "./scalar.mjs";

const here = import.meta.dirname;
const outdir = path.join(here, "dist");

// Written over, never emptied: another stack on this machine may be serving the folder.
await mkdir(path.join(outdir, "docs"), { recursive: true });
await build({
  entryPoints: {
    page: path.join(here, "page.ts"),
    theme: path.join(here, "theme-boot.ts"),
    styles: path.join(here, "page.css"),
    "docs/reference": path.join(here, "docs-boot.ts"),
  },
  outdir,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022", "chrome111", "firefox113", "safari16.4"],
  legalComments: "none",
  logLevel: "warning",
});
// Told so beforehand, the zod in that script does not try whether it may evaluate text: the page's policy forbids it.
const noEval = "globalThis.__zod_globalConfig = { jitless: true };\n";
await writeFile(path.join(outdir, "docs", "scalar.js"), noEval + scalarScript());
for (const file of ["index.html", "docs.html", "favicon.svg", "_headers"])
  await cp(path.join(here, file), path.join(outdir, file));
