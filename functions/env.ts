/** The Worker's environment: parsed once per isolate; a bad variable stops the Worker with its name, never its value. */
import { z } from "zod";
import {
  allowedOrigins,
  bearerText,
  limitBinding,
  longSecret,
  playerTokensOf,
  publicKeys,
  publicOrigin,
} from "./env-fields.ts";

const Variables = z.object({
  DATABASE_URL: z.string().min(1),
  /** Local stack only: address of the Neon-compatible endpoint. */
  NEON_SQL_ENDPOINT: z.url().optional(),
  UPSTASH_REDIS_REST_URL: z.url(),
  UPSTASH_REDIS_REST_TOKEN: bearerText.min(1),
  REDIS_TARGET: z.enum(["redis", "upstash"]).default("upstash"),
  /** Public address of the PartyKit project; browsers connect to it and the Worker pushes to it. */
  PARTY_URL: publicOrigin,
  PARTY_PUSH_SECRET: bearerText.min(16),
  /** A server key with all scopes for every game. */
  SERVER_KEY: bearerText.min(1).optional(),
  /** Bearer token that may read /metrics and nothing else. */
  METRICS_TOKEN: bearerText.min(16).optional(),
  /** Player tokens: at most one of a shared secret (HS256) and public keys (ES256, a JWKS as JSON). */
  PLAYER_TOKEN_SECRET: longSecret.optional(),
  PLAYER_TOKEN_JWKS: publicKeys.optional(),
  PLAYER_TOKEN_ISSUER: z.string().min(1).default("edgeboard"),
  /** What the games' signing secrets are derived from. */
  SIGNING_SECRET: longSecret.optional(),
  /** Origins whose pages may call the API, with spaces between; `*` for every page. */
  ALLOWED_ORIGINS: allowedOrigins.prefault("*"),
  /** Rate-limit bindings of wrangler.toml; without them the edge lets everything pass. */
  PLAYER_LIMIT: limitBinding.optional(),
  ADDRESS_LIMIT: limitBinding.optional(),
});

/** Exactly one algorithm, so that no token chooses how it is checked. */
export const Env = Variables.refine(
  ({ PLAYER_TOKEN_SECRET, PLAYER_TOKEN_JWKS }) => PLAYER_TOKEN_SECRET === undefined || PLAYER_TOKEN_JWKS === undefined,
  { path: ["PLAYER_TOKEN_JWKS"], error: "must not be set beside PLAYER_TOKEN_SECRET" },
).transform((variables) => ({ ...variables, playerTokens: playerTokensOf(variables) }));
export type Env = z.infer<typeof Env>;

/**
 * Names of everything that the Worker reads from its environment.
 * @internal A test holds wrangler.toml and the tools against them.
 */
export const WORKER_VARIABLES: readonly string[] = Object.keys(Variables.shape);

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
