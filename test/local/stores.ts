import { mkdtempSync } from "node:fs";
import path from "node:path";
import { Redis } from "ioredis";
import { beforeAll, inject } from "vitest";
import { withClient } from "../../local/components/postgres.ts";
import type { FaultRule } from "../../local/http/faults.ts";
import { type Stores, startStores } from "../../local/stores.ts";

/** Stores that a test file has to itself, and the endpoints' test controls. */
export interface TestStores {
  readonly stores: Stores;
  /** Replaces the faults of an endpoint. */
  readonly inject: (endpoint: Endpoint, rules: readonly FaultRule[]) => Promise<void>;
  /** Runs `work` and returns how many requests the endpoint got meanwhile. */
  readonly requestsDuring: (endpoint: Endpoint, work: () => Promise<unknown>) => Promise<number>;
}

/** Which endpoint a control is for. */
export type Endpoint = "upstash" | "neon";

/** Files of one process have them one after the other; they end with it (local/process/guard.ts), their folder with the run. */
let kept: Promise<Stores> | undefined;

const keep = (): Promise<Stores> =>
  startStores({
    dataDir: mkdtempSync(path.join(inject("runFolder"), "stores ")),
    cluster: inject("prepared").cluster,
  });

async function empty({ redisUrl, databaseUrl, upstashUrl, neonUrl }: Stores): Promise<void> {
  for (const url of [upstashUrl, neonUrl]) await fetch(new URL("/__faults", url), { method: "POST", body: "[]" });
  const redis = new Redis(redisUrl);
  await redis.flushall();
  await redis.function("FLUSH");
  redis.disconnect();
  await withClient(databaseUrl, (client) =>
    client.query("drop schema public cascade; drop schema if exists drizzle cascade; create schema public"),
  );
}

/** Both endpoints with empty servers behind them, for the tests of a file. */
export function useStores(): TestStores {
  let started: Stores | undefined;
  const stores = (): Stores => {
    if (started === undefined) throw new Error("the stores are not up yet");
    return started;
  };
  beforeAll(async () => {
    started = await (kept ??= keep());
    await empty(started);
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
