import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";

/** What the local runtime needs of a wrangler.toml; `wrangler` itself takes seconds to load. */
const Toml = z.object({
  main: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()).default([]),
  assets: z.object({ directory: z.string() }).optional(),
  build: z.object({ command: z.string(), watch_dir: z.array(z.string()) }).optional(),
  ratelimits: z
    .array(z.object({ name: z.string(), simple: z.object({ limit: z.int(), period: z.int() }) }))
    .default([]),
  vars: z.record(z.string(), z.string()).default({}),
});

export interface WorkerSource {
  readonly main: string;
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
  /** Folder of static files. */
  readonly assets: string | undefined;
  readonly rateLimits: readonly { readonly name: string; readonly limit: number; readonly period: number }[];
  readonly vars: Readonly<Record<string, string>>;
  /** Folders whose changes make the Worker anew. */
  readonly watched: readonly string[];
}

/** The top level of a wrangler.toml, with absolute paths. */
export function readWranglerToml(file: string): WorkerSource {
  const toml = Toml.parse(parse(readFileSync(file, "utf8")));
  const absolute = (relative: string) => path.resolve(path.dirname(file), relative);
  return {
    main: absolute(toml.main),
    compatibilityDate: toml.compatibility_date,
    compatibilityFlags: toml.compatibility_flags,
    assets: toml.assets && absolute(toml.assets.directory),
    rateLimits: toml.ratelimits.map(({ name, simple }) => ({ name, ...simple })),
    vars: toml.vars,
    watched: (toml.build?.watch_dir ?? []).map(absolute),
  };
}
