/** `npm run wrangler-dev`: Cloudflare's own development server beside a stack that `npm start` runs, on the same stores. */
import { parseArgs } from "node:util";
import { z } from "zod";
import { parseStackEnvironment } from "../../local/env.ts";
import { signalGroup } from "../../local/process/group.ts";
import { runningStack } from "../../local/running-stack.ts";
import { startWranglerDev } from "./start.ts";

const USAGE = `npm run wrangler-dev -- [--port 8788]

Runs \`wrangler dev\` with this clone's Worker on the stores and rooms of the stack that \`npm start\` runs (DATA_DIR says which).`;

try {
  const { values } = parseArgs({
    options: { port: { type: "string", default: "8788" }, help: { type: "boolean", default: false } },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const port = z.coerce.number().int().min(1).max(65_535).parse(values.port);
  const { dataDir, serverKey } = parseStackEnvironment(process.env);
  const stack = runningStack(dataDir);
  const wrangler = startWranglerDev({ stack, dataDir, serverKey, port, output: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => signalGroup(wrangler.pid ?? 0, signal));
  wrangler.once("exit", (code) => process.exit(code ?? 0));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exit(1);
}
