/** Builds what a deployment uploads, without uploading it: Worker, page and room. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { installed, ROOT } from "../../local/paths.ts";
import { ASSET_BYTES, ASSET_FILES, ROOM_GZIP_BYTES, WORKER_GZIP_BYTES, type Measure } from "./limits.ts";
import type { DeployEnvironment } from "./options.ts";
import { runNode } from "./run.ts";

const WRANGLER = installed("wrangler", "bin", "wrangler.js");

const gzipBytes = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).byteLength, 0);

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());

/** Runs wrangler's own dry run, which also builds the page. Throws with its output on an error or a warning. */
export async function buildWorker(env: DeployEnvironment, outdir: string): Promise<Measure[]> {
  const args = [WRANGLER, "deploy", "--dry-run", "--env", env, "--outdir", outdir];
  const { code, output } = await runNode(args);
  // A warning is how wrangler says that an environment lacks bindings of the top level.
  if (code !== 0 || /warning/i.test(output)) throw new Error(`wrangler does not build ${env}:\n${output}`);
  const modules = filesBelow(outdir).filter((file) => !/\.(map|md)$/.test(file));
  const assets = filesBelow(path.join(ROOT, "web", "dist"));
  return [
    { what: "Worker, gzip", value: gzipBytes(modules), limit: WORKER_GZIP_BYTES, unit: "KiB" },
    { what: "page, files", value: assets.length, limit: ASSET_FILES, unit: "files" },
    {
      what: "page, largest file",
      value: Math.max(...assets.map((file) => statSync(file).size)),
      limit: ASSET_BYTES,
      unit: "KiB",
    },
  ];
}

/** Bundles the room the way `partykit deploy` does (it has no dry run): one ES module for workerd. */
export async function buildRoom(outfile: string): Promise<Measure[]> {
  await build({
    entryPoints: [path.join(ROOT, "party", "room.ts")],
    outfile,
    bundle: true,
    format: "esm",
    target: "esnext",
    conditions: ["partykit", "workerd", "worker"],
    external: ["node:*", "cloudflare:*"],
    logLevel: "silent",
  });
  return [{ what: "room, gzip", value: gzipBytes([outfile]), limit: ROOM_GZIP_BYTES, unit: "KiB" }];
}
