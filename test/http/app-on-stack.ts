/** The app in the test's own process, on the stores of the shared stack: at another time, or with other bindings, than the stack's Worker. */
import { createApp } from "../../functions/app.ts";
import { createDeps } from "../../functions/deps.ts";
import { parseEnv } from "../../functions/env.ts";
import { libraryText } from "../../lua/library.ts";
import { stack } from "../harness/stack.ts";

export function appOnStack(bindings: Readonly<Record<string, unknown>>, now: () => number = Date.now) {
  const env = parseEnv({
    DATABASE_URL: stack().databaseUrl,
    NEON_SQL_ENDPOINT: stack().neonUrl,
    UPSTASH_REDIS_REST_URL: stack().upstashUrl,
    UPSTASH_REDIS_REST_TOKEN: stack().upstashToken,
    REDIS_TARGET: "redis",
    PARTY_URL: stack().party,
    PARTY_PUSH_SECRET: stack().pushSecret,
    PLAYER_TOKEN_SECRET: stack().playerTokenSecret,
    SERVER_KEY: stack().serverKey,
    ...bindings,
  });
  return createApp(
    (_bindings, background) => createDeps(env, libraryText(), background, { now }),
    () => ({ run: () => undefined, keep: () => undefined }),
  );
}
