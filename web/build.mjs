/** Builds the page into dist/, the folder that the Worker serves as static assets. */
import { cp, mkdir } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const outdir = path.join(here, "dist");

// Written over, never emptied: another stack on this machine may be serving the folder.
await mkdir(outdir, { recursive: true });
await build({
  entryPoints: {
    page: path.join(here, "page.ts"),
    theme: path.join(here, "theme-boot.ts"),
    styles: path.join(here, "page.css"),
  },
  outdir,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022", "chrome111", "firefox113", "safari16.4"],
  legalComments: "none",
  logLevel: "warning",
});
for (const file of ["index.html", "favicon.svg", "_headers"]) await cp(path.join(here, file), path.join(outdir, file));
