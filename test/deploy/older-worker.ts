/** Yesterday's Worker: today's source with the ranking library of an earlier release, built as a Worker of its own. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { ROOT } from "../../local/paths.ts";
import { libraryPlugin } from "../../local/workerd/library-plugin.ts";
import { libraryText } from "../../lua/library.ts";
import { releaseOf } from "../../lua/loader.ts";

/** The same text as the release before it. */
export const previousRelease = (library: string): string =>
  library.replace(/^local RELEASE = \d+$/m, `local RELEASE = ${releaseOf(library) - 1}`);

/** Writes bundle and configuration into `folder`, which wrangler watches as a whole: nothing else may be in it. */
export async function buildOlderWorker(folder: string): Promise<string> {
  await build({
    entryPoints: [path.join(ROOT, "functions", "index.ts")],
    outfile: path.join(folder, "worker.mjs"),
    bundle: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    logLevel: "silent",
    plugins: [libraryPlugin(previousRelease(libraryText()))],
  });
  const config = path.join(folder, "wrangler.toml");
  const today = await readFile(path.join(ROOT, "wrangler.toml"), "utf8");
  const date = /^compatibility_date = .*$/m.exec(today)?.[0];
  if (date === undefined) throw new Error("wrangler.toml has no compatibility_date");
  const lines = ['name = "edgeboard-yesterday"', 'main = "worker.mjs"', "no_bundle = true", date];
  await writeFile(config, [...lines, 'compatibility_flags = ["nodejs_compat"]', ""].join("\n"));
  return config;
}
