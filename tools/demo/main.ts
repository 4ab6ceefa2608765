/** `npm run demo`: plays a game's evening against the running stack and reports. */
import { Redis } from "ioredis";
import { createClient, ProblemError, type Client } from "../../client/index.ts";
import { parseStackEnvironment } from "../../local/env.ts";
import { startProgress } from "../../local/progress.ts";
import { runningStack } from "../../local/running-stack.ts";
import { runTool } from "../command-line.ts";
import { parseOptions, USAGE, type DemoOptions } from "./options.ts";
import { play } from "./play.ts";
import { printBoard, printSpeed } from "./report.ts";

/** Says at once what each submission would be refused for. */
async function requireGame(client: Client, game: string): Promise<void> {
  try {
    await client.top(game, "current", { n: 1 });
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404)
      throw new Error(`there is no game "${game}"`, { cause: error });
    throw error;
  }
}

async function run(options: DemoOptions): Promise<number> {
  const environment = parseStackEnvironment(process.env);
  const stack = runningStack(environment.dataDir);
  const client = createClient({ baseUrl: stack.api, token: environment.serverKey });
  await requireGame(client, options.game);
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
  return result.failed > 0 ? 1 : 0;
}

await runTool({ usage: USAGE, parse: parseOptions, run });
