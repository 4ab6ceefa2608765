import { createHash } from "node:crypto";
import type { Secrets } from "./secrets.ts";
import type { StackInfo } from "./stack-file.ts";

type Addresses = Pick<StackInfo, "upstashUrl" | "upstashToken" | "databaseUrl" | "neonUrl">;

/** The variables and secrets of the Worker in a local stack. */
export function workerVariables(
  stores: Addresses & { readonly secrets: Secrets },
  { party }: Pick<StackInfo, "party">,
  serverKey: string,
): Record<string, string> {
  return {
    UPSTASH_REDIS_REST_URL: stores.upstashUrl,
    UPSTASH_REDIS_REST_TOKEN: stores.upstashToken,
    DATABASE_URL: stores.databaseUrl,
    NEON_SQL_ENDPOINT: stores.neonUrl,
    REDIS_TARGET: "redis",
    PARTY_URL: party,
    PARTY_PUSH_SECRET: stores.secrets.partyPushSecret,
    SERVER_KEY: serverKey,
    PLAYER_TOKEN_SECRET: stores.secrets.playerTokenSecret,
    // Another use, hence another secret.
    SIGNING_SECRET: createHash("sha256").update(`signing ${stores.secrets.playerTokenSecret}`).digest("hex"),
  };
}
