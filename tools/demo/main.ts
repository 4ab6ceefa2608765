/** `npm run demo`: plays a game's evening against the running stack and reports. */
import { Redis } from "ioredis";
import { createClient } from "../../client/index.ts";
import { parseStackEnvironment } from "../../local/env.ts";
import { startProgress } from "../../local/progress.ts";
import { runningStack } from "../../local/running-stack.ts";
import { parseOptions, USAGE } from "./options.ts";
import { play } from "./play.ts";
import { printBoard, printSpeed } from "./report.ts";

async function main(): Promise<void> {
  if (process.argv.includes("--help")) {
    console.log(USAGE);
    return;
  }
  const options = parseOptions(process.argv.slice(2));
  const environment = parseStackEnvironment(process.env);
  const stack = runningStack(environment.dataDir);
  const client = createClient({ baseUrl: stack.api, token: environment.serverKey });
  console.log(
    `${options.count.toLocaleString("en")} submissions of up to ${options.players.toLocaleString("en")} players by ${options.clients} clients, seed ${options.seed}`,
  );
  const progress = startProgress("playing", options.count);
  const result = await play(client, options, progress);
  progress.end();
  printSpeed(result);
  const redis = new Redis(stack.redisUrl, { lazyConnect: true });
  try {
    await printBoard(client, redis, options);
  } finally {
    redis.disconnect();
  }
  if (result.failed > 0) process.exitCode = 1;
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
