import path from "node:path";

/** The clone: the folder that holds package.json, wrangler.toml, node_modules. */
export const ROOT = path.resolve(import.meta.dirname, "..");

/** The pinned Node 24, whatever Node runs this file. */
export const NODE = path.join(ROOT, "node_modules", "node", "bin", "node");

/** A file of an installed package. */
export function installed(...segments: string[]): string {
  return path.join(ROOT, "node_modules", ...segments);
}
