/** wrangler.toml as wrangler reads it, and whether its environments are complete. */
import path from "node:path";
import { z } from "zod";
import { ROOT } from "../../local/paths.ts";
import { ENVIRONMENTS, type DeployEnvironment } from "./options.ts";

const Named = z.looseObject({ name: z.string(), namespace_id: z.string() });
const Config = z.looseObject({
  name: z.string(),
  vars: z.record(z.string(), z.unknown()),
  ratelimits: z.array(Named).default([]),
  triggers: z.object({ crons: z.array(z.string()).optional() }),
  placement: z.looseObject({ region: z.string().optional() }).optional(),
  secrets: z.object({ required: z.array(z.string()).default([]) }).optional(),
  compatibility_date: z.string(),
  limits: z.looseObject({ cpu_ms: z.int().optional(), subrequests: z.int().optional() }).optional(),
  observability: z.looseObject({ enabled: z.boolean().optional() }).optional(),
});
export type WranglerConfig = z.infer<typeof Config>;

/** The top level, or an environment with what it inherits. */
export async function wranglerConfig(env?: DeployEnvironment): Promise<WranglerConfig> {
  // Takes seconds to load, so that only those wait who get this far.
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const config = path.join(ROOT, "wrangler.toml");
  return Config.parse(readConfig(env === undefined ? { config } : { config, env }, { hideWarnings: true }));
}

const bindingNames = (config: WranglerConfig) => [
  ...Object.keys(config.vars).map((name) => `var ${name}`),
  ...config.ratelimits.map(({ name }) => `rate limit ${name}`),
];

/** Bindings and variables of the top level that an environment lacks: it does not inherit them. */
export async function missingBindings(env: DeployEnvironment): Promise<string[]> {
  const present = new Set(bindingNames(await wranglerConfig(env)));
  return bindingNames(await wranglerConfig()).filter((name) => !present.has(name));
}

/** One sentence for each environment that lacks something. */
export async function bindingComplaints(): Promise<string[]> {
  const complaints = ENVIRONMENTS.map(async (env) => {
    const missing = await missingBindings(env);
    return missing.map((name) => `[env.${env}] lacks the ${name}`);
  });
  return (await Promise.all(complaints)).flat();
}

/** Neon's host names hold their region: `ep-….eu-central-1.aws.neon.tech`. Undefined for other hosts. */
function neonRegion(databaseUrl: string): string | undefined {
  const match = /\.([a-z0-9-]+)\.(aws|azure)\.neon\.tech$/.exec(new URL(databaseUrl).hostname);
  return match ? `${match[2]}:${match[1]}` : undefined;
}

/** What is wrong with where the Worker runs; undefined when it runs beside the database or that cannot be told. */
export async function placementComplaint(env: DeployEnvironment, databaseUrl: string): Promise<string | undefined> {
  const database = neonRegion(databaseUrl);
  if (database === undefined) return undefined;
  const worker = (await wranglerConfig(env)).placement?.region;
  if (worker === database) return undefined;
  return `[env.${env}.placement] region is ${worker ?? "not set"}, the database is in ${database}`;
}
