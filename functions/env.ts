/** The Worker's environment: parsed once per isolate; a bad variable stops the Worker with its name, never its value. */
import { z } from "zod";

const Env = z.object({
  DATABASE_URL: z.string().min(1),
  /** Local stack only: address of the Neon-compatible endpoint. */
  NEON_SQL_ENDPOINT: z.url().optional(),
  UPSTASH_REDIS_REST_URL: z.url(),
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1),
  REDIS_TARGET: z.enum(["redis", "upstash"]).default("upstash"),
  /** Public address of the PartyKit project; browsers connect to it and the Worker pushes to it. */
  PARTY_URL: z.url(),
  PARTY_PUSH_SECRET: z.string().min(16),
  /** A server key with all scopes for every game. */
  SERVER_KEY: z.string().min(1).optional(),
  /** Bearer token that may read /metrics and nothing else. */
  METRICS_TOKEN: z.string().min(16).optional(),
});
export type Env = z.infer<typeof Env>;

export class EnvError extends Error {
  readonly variables: readonly string[];

  constructor(variables: readonly string[]) {
    super(`missing or malformed: ${variables.join(", ")}`);
    this.name = "EnvError";
    this.variables = variables;
  }
}

/** Throws an EnvError that names every missing or malformed variable. */
export function parseEnv(bindings: unknown): Env {
  const parsed = Env.safeParse(bindings);
  if (parsed.success) return parsed.data;
  throw new EnvError([...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))]);
}
