import path from "node:path";
import { build } from "esbuild";
import { libraryPlugin } from "./library-plugin.ts";

/** Bundles a Worker with entry.ts around it into one module. */
export const bundleWorker = (main: string, outfile: string): Promise<void> =>
  bundleModule(path.join(import.meta.dirname, "entry.ts"), outfile, { "#worker": main });

/** Bundles a module for workerd as wrangler does (without `keep_names`). */
export async function bundleModule(
  entry: string,
  outfile: string,
  alias: Readonly<Record<string, string>> = {},
): Promise<void> {
  await build({
    entryPoints: [entry],
    alias: { ...alias },
    outfile,
    bundle: true,
    format: "esm",
    target: "es2024",
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    plugins: [libraryPlugin()],
    sourcemap: "inline",
    logLevel: "silent",
  });
}
