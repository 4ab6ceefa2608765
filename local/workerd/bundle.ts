import path from "node:path";
import { build } from "esbuild";

/** Bundles a Worker with entry.ts around it into one module, as wrangler bundles it (without `keep_names`). */
export async function bundleWorker(main: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [path.join(import.meta.dirname, "entry.ts")],
    alias: { "#worker": main },
    outfile,
    bundle: true,
    format: "esm",
    target: "es2024",
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    loader: { ".lua": "text" },
    sourcemap: "inline",
    logLevel: "silent",
  });
}
