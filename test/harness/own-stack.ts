/** A stack of a test file's own, whose parts may be killed. */
import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { inject } from "vitest";
import type { Prepared } from "../../local/prepared.ts";
import { startStack, type Stack, type StackOptions } from "../../local/stack.ts";
import { SERVER_KEY } from "./server-key.ts";

declare module "vitest" {
  interface ProvidedContext {
    prepared: Prepared;
    /** Removed when the run is over. */
    runFolder: string;
  }
}

/** Starts it on free ports, from what the run prepared, with a folder that the run removes. */
export async function startOwnStack(options: Pick<StackOptions, "say"> = {}): Promise<Stack> {
  const dataDir = await mkdtemp(path.join(inject("runFolder"), "own "));
  const given = { port: 0, partyPort: 0, dataDir, serverKey: SERVER_KEY, cronSeconds: 0 };
  return startStack({ ...given, ...options, prepared: inject("prepared") });
}
