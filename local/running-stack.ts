/** Finds the stack that `npm start` runs, for the command-line tools. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const RunningStack = z.object({
  api: z.url(),
  party: z.url(),
  redisUrl: z.string(),
  databaseUrl: z.string(),
  upstashUrl: z.url(),
  upstashToken: z.string(),
  neonUrl: z.url(),
  pids: z.record(z.string(), z.int()),
});
export type RunningStack = z.infer<typeof RunningStack>;

/** Reads `DATA_DIR/stack.json`. Throws with what to do when nothing runs there. */
export function runningStack(dataDir: string): RunningStack {
  const file = path.join(dataDir, "stack.json");
  if (!existsSync(file))
    throw new Error(`no stack runs on ${dataDir}; start one with \`npm start\` (DATA_DIR says where)`);
  return RunningStack.parse(JSON.parse(readFileSync(file, "utf8")));
}
