/** The Worker's entry: requests and the cron. */
import library from "../lua/dist/leaderboard.lua";
import { createApp } from "./app.ts";
import { tick } from "./cron/tick.ts";
import { createDeps } from "./deps.ts";
import { parseEnv, type Env } from "./env.ts";
import { log } from "./log.ts";
import type { Bindings } from "./http/context.ts";
import type { Background } from "./services/runtime.ts";
import type { Deps } from "./deps-type.ts";

let env: Env | undefined;

function createBackground(waitUntil: (work: Promise<void>) => void, requestId?: string): Background {
  return {
    run(name, work) {
      const started = Date.now();
      const say = (level: "info" | "warn", outcome: string, reason?: string) =>
        log(level, "background", { requestId, name, outcome, reason, ms: Date.now() - started });
      waitUntil(
        work().then(
          () => say("info", "done"),
          (error: unknown) => say("warn", "failed", error instanceof Error ? error.message : "unknown"),
        ),
      );
    },
    keep: waitUntil,
  };
}

/** Parsed once an isolate; a Worker with a bad environment answers nothing but that. */
function depsOf(bindings: Bindings, background: Background): Deps {
  env ??= parseEnv(bindings);
  return createDeps(env, library, background);
}

const app = createApp(depsOf, createBackground, (bindings) => (env ??= parseEnv(bindings)).ALLOWED_ORIGINS);

export default {
  fetch: app.fetch,
  async scheduled(_controller, bindings, context) {
    await tick(
      depsOf(
        bindings,
        createBackground((work) => context.waitUntil(work)),
      ),
    );
  },
} satisfies ExportedHandler<Bindings>;
