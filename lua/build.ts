/** Writes the ranking library into dist/, where wrangler's bundler finds it: wrangler.toml's build command. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { libraryText } from "./library.ts";

const folder = path.join(import.meta.dirname, "dist");
const file = path.join(folder, "leaderboard.lua");
mkdirSync(folder, { recursive: true });
// Another wrangler may be reading it.
writeFileSync(`${file}.${process.pid}`, libraryText());
renameSync(`${file}.${process.pid}`, file);
