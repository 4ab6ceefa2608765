import { renameSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Who is who; 0 while a component is being started again or is not ours. */
export interface StackPids {
  redis: number;
  postgres: number;
  upstash: number;
  neon: number;
  worker: number;
  party: number;
  stack: number;
}

/** What runs: the content of `DATA_DIR/stack.json`. */
export interface StackInfo {
  readonly api: string;
  readonly party: string;
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly upstashUrl: string;
  /** Of this machine's endpoint only. */
  readonly upstashToken: string;
  readonly neonUrl: string;
  readonly pids: StackPids;
}

/** Writes `stack.json` in one step, so that a reader never sees half of it. */
export function writeStackFile(dataDir: string, info: StackInfo): void {
  const file = path.join(dataDir, "stack.json");
  writeFileSync(`${file}.new`, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
