/** kill -9 of the whole Worker while a drain stands still between two steps, on a stack of this file's own. */
import { Redis } from "ioredis";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FaultRule } from "../../local/http/faults.ts";
import type { Stack } from "../../local/stack.ts";
import { freshGameId } from "../harness/api.ts";
import { killGroup } from "../harness/kill.ts";
import { startOwnStack } from "../harness/own-stack.ts";
import { SERVER_KEY } from "../harness/server-key.ts";
import { until } from "../harness/until.ts";
import { streamOf } from "./stream.ts";

const START_MS = 120_000;
let stack: Stack;
let redis: Redis;
let postgres: Client;

beforeAll(async () => {
  stack = await startOwnStack();
  redis = new Redis(stack.info.redisUrl);
  postgres = new Client({ connectionString: stack.info.databaseUrl });
  await postgres.connect();
}, START_MS);
afterAll(async () => {
  redis.disconnect();
  await postgres.end();
  await stack.stop();
});

async function call(method: string, url: string, body: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${SERVER_KEY}`, "content-type": "application/json" };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
}

const endpointOf = (at: "upstash" | "neon") => new URL(stack.info[`${at}Url`]).origin;
const setFaults = (at: "upstash" | "neon", rules: FaultRule[]) => call("POST", `${endpointOf(at)}/__faults`, rules);
const tick = () => fetch(`${stack.info.api}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`).then((r) => r.text());

const badges = async (game: string) => {
  const { rows } = await postgres.query<{ badge: string }>(
    "select player || ' ' || badge as badge from badges where game = $1",
    [game],
  );
  return rows.map(({ badge }) => badge).toSorted();
};

/** All processes of the Worker at once; the stack starts it again on its port. */
async function killWorker(): Promise<void> {
  const { worker } = stack.info.pids;
  killGroup(worker);
  await until("another Worker runs", () => stack.info.pids.worker !== worker && stack.info.pids.worker > 0, START_MS);
  const answers = () =>
    fetch(`${stack.info.api}/healthz`).then(
      (r) => r.ok,
      () => false,
    );
  await until("it answers", answers, START_MS);
}

/** Where the drain stands still, and how a test sees from outside that it has come there. */
const STEPS = [
  { step: "having read", at: "upstash", match: "XREADGROUP", arrived: (pending: number) => pending > 0 },
  {
    step: "having inserted",
    at: "neon",
    match: "award_submissions_v1",
    arrived: (_: number, awarded: number) => awarded > 0,
  },
  {
    step: "having acknowledged",
    at: "upstash",
    match: "XACK",
    arrived: (pending: number, awarded: number) => pending === 0 && awarded > 0,
  },
] as const;

describe("a Worker that is killed", () => {
  it.each(STEPS)(
    "after $step leaves every badge awarded once by the next run",
    { timeout: 300_000 },
    async ({ at, match, arrived }) => {
      const game = freshGameId();
      await call("PUT", `${stack.info.api}/v1/games/${game}`, {});
      const submissions = Array.from({ length: 40 }, (_, i) => ({ player: `p${i % 25}`, points: i * 300 }));
      await call("POST", `${stack.info.api}/v1/games/${game}/scores/batch`, { submissions });
      const stream = streamOf(redis, game);
      await setFaults(at, [{ match, action: "delay-after", delayMs: 300_000 }]);
      const dying = tick().catch(() => undefined);
      const there = async () => arrived(await stream.pending(), (await badges(game)).length);
      await until("the drain stands still", there, START_MS);
      await killWorker();
      await dying;
      await setFaults(at, []);

      await stream.ageNow();
      await tick();
      const bronze = submissions.filter(({ points }) => points >= 1_000).map(({ player }) => `${player} bronze`);
      const silver = submissions.filter(({ points }) => points >= 5_000).map(({ player }) => `${player} silver`);
      const gold = submissions.filter(({ points }) => points >= 10_000).map(({ player }) => `${player} gold`);
      expect(await badges(game)).toEqual([...new Set([...bronze, ...silver, ...gold])].toSorted());
      expect(await stream.pending()).toBe(0);
    },
  );
});
