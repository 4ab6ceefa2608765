import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { FaultRule } from "../../local/http/faults.ts";
import { type Stores, startStores } from "../../local/stores.ts";

/** Private stores for one test file, and the endpoints' test controls. */
export interface TestStores {
  readonly stores: Stores;
  /** Replaces the faults of an endpoint. */
  readonly inject: (endpoint: Endpoint, rules: readonly FaultRule[]) => Promise<void>;
  /** Runs `work` and returns how many requests the endpoint got meanwhile. */
  readonly requestsDuring: (endpoint: Endpoint, work: () => Promise<unknown>) => Promise<number>;
}

/** Which endpoint a control is for. */
export type Endpoint = "upstash" | "neon";

// An endpoint connects when it is asked; a file that asks one of them needs no server behind the other.
const NO_SERVER = {
  upstash: { databaseUrl: "postgresql://nobody:nothing@127.0.0.1:9/none" },
  neon: { redisUrl: "redis://127.0.0.1:9" },
} as const;

/** Starts one endpoint with its private server before the tests of a file and removes both after. */
export function useStores(endpoint: Endpoint): TestStores {
  const dataDir = mkdtempSync(path.join(tmpdir(), "edgeboard local "));
  let started: Stores | undefined;
  const stores = (): Stores => {
    if (started === undefined) throw new Error("the stores are not up yet");
    return started;
  };
  beforeAll(async () => {
    started = await startStores({ dataDir, ...NO_SERVER[endpoint] });
  });
  afterAll(async () => {
    await started?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const control = (endpoint: Endpoint, name: string): string =>
    new URL(name, endpoint === "upstash" ? stores().upstashUrl : stores().neonUrl).href;
  return {
    get stores() {
      return stores();
    },
    inject: async (endpoint, rules) => {
      const response = await fetch(control(endpoint, "/__faults"), { method: "POST", body: JSON.stringify(rules) });
      if (!response.ok) throw new Error(await response.text());
    },
    requestsDuring: async (endpoint, work) => {
      await fetch(control(endpoint, "/__stats"), { method: "DELETE" });
      await work();
      const stats: unknown = await (await fetch(control(endpoint, "/__stats"))).json();
      return requestsOf(stats);
    },
  };
}

function requestsOf(stats: unknown): number {
  if (typeof stats === "object" && stats !== null && "requests" in stats && typeof stats.requests === "number")
    return stats.requests;
  throw new Error("these are no counters");
}
