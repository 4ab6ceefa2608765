/**
 * Vitest global setup: what stacks have in common is made once, and one real stack on free ports serves all lanes that share
 * one; another serves the lane deploy, whose commands look at all games. `stack()` hands its addresses to the tests.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { prepareStacks, type Prepared } from "../../local/prepared.ts";
import { startStack } from "../../local/stack.ts";
import { isOnSharedStack, needsStacks } from "../lanes.ts";
import { SERVER_KEY } from "./server-key.ts";

export default async function setup(run: TestProject): Promise<() => Promise<void>> {
  const lanes = run.vitest.projects.map(({ name }) => name);
  const folder = await mkdtemp(path.join(tmpdir(), "edgeboard test "));
  const stops: (() => Promise<void>)[] = [];
  const end = async () => {
    await Promise.all(stops.map((stop) => stop()));
    // Stacks of workers that have just ended may still write into it.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  };
  try {
    if (!lanes.some(needsStacks)) return end;
    const prepared = await prepareStacks(folder);
    run.provide("prepared", prepared);
    run.provide("runFolder", folder);
    const start = async (project: TestProject, dataDir: string) => {
      stops.push(await startFor(project, path.join(folder, dataDir), prepared));
    };
    const deploy = run.vitest.projects.find(({ name }) => name === "deploy");
    const started = await Promise.allSettled([
      lanes.some(isOnSharedStack) ? start(run, "shared-stack") : undefined,
      deploy === undefined ? undefined : start(deploy, "deploy-stack"),
    ]);
    for (const one of started) if (one.status === "rejected") throw one.reason;
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

/** Starts a stack that the tests of a lane, or of all, find by `stack()`; resolves with what stops it. */
async function startFor(lanes: TestProject, dataDir: string, prepared: Prepared): Promise<() => Promise<void>> {
  const stack = await startStack({ port: 0, partyPort: 0, dataDir, serverKey: SERVER_KEY, cronSeconds: 0, prepared });
  const { api, party, redisUrl, databaseUrl, upstashUrl, neonUrl, upstashToken } = stack.info;
  lanes.provide("stack", {
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
  });
  return stack.stop;
}
