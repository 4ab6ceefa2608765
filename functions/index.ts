/** The Worker's entry: requests and the cron. */
import library from "../lua/leaderboard.lua";
import { createApp } from "./app.ts";
import { createDeps } from "./deps.ts";
import { parseEnv, type Env } from "./env.ts";
import { log } from "./log.ts";
import type { Bindings } from "./http/context.ts";
import type { Background } from "./services/ports.ts";

let env: Env | undefined;

function createBackground(waitUntil: (work: Promise<void>) => void): Background {
  return {
    run(name, work) {
      waitUntil(
        work().catch((error: unknown) => {
          log("warn", "background", { name, error: error instanceof Error ? error.message : "failed" });
        }),
      );
    },
  };
}

const app = createApp((bindings, background) => {
  env ??= parseEnv(bindings);
  return createDeps(env, library, background);
}, createBackground);

export default {
  fetch: app.fetch,
} satisfies ExportedHandler<Bindings>;
