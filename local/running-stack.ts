/** Finds the stack that `npm start` runs, for the command-line tools. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { identify } from "./process/table.ts";

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

/** Reads `DATA_DIR/stack.json`, which outlives its stack. Throws with what to do when nothing runs there. */
export function runningStack(dataDir: string): RunningStack {
  const file = path.join(dataDir, "stack.json");
  const stack = existsSync(file) ? RunningStack.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
  if (stack === undefined || identify(stack.pids["stack"] ?? 0) === undefined)
    throw new Error(`no stack runs on ${dataDir}; start one with \`npm start\` (DATA_DIR says where)`);
  return stack;
}
