/**
 * `wrangler dev` by its API, for what the command line cannot leave out: the inspector. Nobody opens it here, but every line
 * of the Worker's log went through it, which took a third of a bare response's rate (docs/performance.md).
 */
import { parseArgs } from "node:util";
import { unstable_startWorker } from "wrangler";
import { z } from "zod";

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: { config: text, "env-file": text, port: text, "persist-to": text, registry: text },
});
const options = z
  .object({
    config: z.string(),
    "env-file": z.string(),
    port: z.coerce.number(),
    "persist-to": z.string(),
    registry: z.string(),
  })
  .parse(values);

const worker = await unstable_startWorker({
  config: options.config,
  envFiles: [options["env-file"]],
  dev: {
    server: { hostname: "127.0.0.1", port: options.port },
    inspector: false,
    persist: options["persist-to"],
    // Stacks side by side must not find each other's Workers.
    registry: options.registry,
    logLevel: "log",
  },
});

process.once("SIGTERM", () => void worker.dispose().finally(() => process.exit(0)));
