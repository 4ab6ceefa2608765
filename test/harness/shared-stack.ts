/** Vitest global setup: one real stack on free ports for a lane; `stack()` hands its addresses to the tests. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { startStack } from "../../local/stack.ts";
import type { StackAddresses } from "./stack.ts";

const SERVER_KEY = "eb_test_key_with_all_scopes_000000000";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "edgeboard test "));
  const stack = await startStack({ port: 0, partyPort: 0, dataDir, serverKey: SERVER_KEY, cronSeconds: 0 });
  const { api, party, redisUrl, databaseUrl, upstashUrl, neonUrl, upstashToken } = stack.info;
  const addresses: StackAddresses = {
    api,
    party,
    redisUrl,
    databaseUrl,
    upstashUrl,
    upstashToken,
    neonUrl,
    serverKey: SERVER_KEY,
    pushSecret: stack.partyPushSecret,
    playerTokenSecret: stack.playerTokenSecret,
    dataDir,
  };
  project.provide("stack", addresses);
  return async () => {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
