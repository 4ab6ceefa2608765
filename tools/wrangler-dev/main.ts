/** `npm run wrangler-dev`: Cloudflare's own development server beside a stack that `npm start` runs, on the same stores. */
import { once } from "node:events";
import { parseArgs } from "node:util";
import { parseStackEnvironment } from "../../local/env.ts";
import { Guard } from "../../local/process/guard.ts";
import { signalGroup } from "../../local/process/group.ts";
import { runningStack } from "../../local/running-stack.ts";
import { runTool } from "../command-line.ts";
import { startWranglerDev } from "./start.ts";

const USAGE = `usage: npm run wrangler-dev -- [--port 8788]

Runs \`wrangler dev\` with this clone's Worker on the stores and rooms of the stack that \`npm start\` runs (DATA_DIR says which).`;

type Options = { readonly port: number };

function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({ args: [...args], options: { port: { type: "string", default: "8788" } } });
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port < 1 || port > 65_535)
    throw new Error("--port is a number from 1 to 65535");
  return { port };
}

async function run({ port }: Options): Promise<number> {
  const { dataDir, serverKey } = parseStackEnvironment(process.env);
  const stack = runningStack(dataDir);
  const wrangler = startWranglerDev({ stack, dataDir, serverKey, port, output: "inherit" });
  const group = wrangler.pid ?? 0;
  const guard = new Guard(dataDir);
  guard.watch([group]);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => signalGroup(group, signal));
  await once(wrangler, "exit");
  guard.end();
  return wrangler.exitCode ?? 0;
}

await runTool({ usage: USAGE, parse: parseOptions, run });
