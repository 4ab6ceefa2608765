/** wrangler.toml as wrangler reads it, and whether its environments are complete. */
import path from "node:path";
import { unstable_readConfig as readConfig } from "wrangler";
import { z } from "zod";
import { ROOT } from "../paths.ts";
import { ENVIRONMENTS, type DeployEnvironment } from "./options.ts";

const Named = z.object({ name: z.string() });
const Config = z.looseObject({
  name: z.string(),
  vars: z.record(z.string(), z.unknown()),
  ratelimits: z.array(Named).default([]),
  triggers: z.object({ crons: z.array(z.string()).optional() }),
  placement: z.looseObject({ region: z.string().optional() }).optional(),
  secrets: z.object({ required: z.array(z.string()).default([]) }).optional(),
  compatibility_date: z.string(),
  observability: z.looseObject({ enabled: z.boolean().optional() }).optional(),
});
export type WranglerConfig = z.infer<typeof Config>;

/** The top level, or an environment with what it inherits. */
export function wranglerConfig(env?: DeployEnvironment): WranglerConfig {
  const config = path.join(ROOT, "wrangler.toml");
  return Config.parse(readConfig(env === undefined ? { config } : { config, env }, { hideWarnings: true }));
}

const bindingNames = (config: WranglerConfig) => [
  ...Object.keys(config.vars).map((name) => `var ${name}`),
  ...config.ratelimits.map(({ name }) => `rate limit ${name}`),
];

/** Bindings and variables of the top level that an environment lacks: it does not inherit them. */
export function missingBindings(env: DeployEnvironment): string[] {
  const present = new Set(bindingNames(wranglerConfig(env)));
  return bindingNames(wranglerConfig()).filter((name) => !present.has(name));
}

/** One sentence for each environment that lacks something. */
export function bindingComplaints(): string[] {
  return ENVIRONMENTS.flatMap((env) => missingBindings(env).map((name) => `[env.${env}] lacks the ${name}`));
}

/** Neon's host names hold their region: `ep-….eu-central-1.aws.neon.tech`. Undefined for other hosts. */
function neonRegion(databaseUrl: string): string | undefined {
  const match = /\.([a-z0-9-]+)\.(aws|azure)\.neon\.tech$/.exec(new URL(databaseUrl).hostname);
  return match ? `${match[2]}:${match[1]}` : undefined;
}

/** What is wrong with where the Worker runs; undefined when it runs beside the database or that cannot be told. */
export function placementComplaint(env: DeployEnvironment, databaseUrl: string): string | undefined {
  const database = neonRegion(databaseUrl);
  const worker = wranglerConfig(env).placement?.region;
  if (database === undefined || worker === database) return undefined;
  return `[env.${env}.placement] region is ${worker ?? "not set"}, the database is in ${database}`;
}
