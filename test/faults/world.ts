/** A stack that a test file has to itself, whose parts may be killed, and what the fault tests do with it. */
import { randomBytes, randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import pg from "pg";
import { vi } from "vitest";
import { z } from "zod";
import { BatchResponse, ScoreResponse } from "../../functions/contract/scores.ts";
import type { FaultRule } from "../../local/http/faults.ts";
import type { ComponentName } from "../../local/stack.ts";
import { startOwnStack } from "../harness/own-stack.ts";
import { SERVER_KEY } from "../harness/server-key.ts";
import { until } from "../harness/until.ts";

/** The full size of what the issue asks for; a smaller one where every commit runs it. */
export const LONG = process.env["EDGEBOARD_LONG"] === "1";

// Parts are killed and started again: on a busy machine that takes a while.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** Longer than the Worker waits for everything; a request without an answer by then has lost its connection. */
const ANSWER_MS = 15_000;
const RETRY_MS = 100;

export type World = Awaited<ReturnType<typeof startWorld>>;
export type Submission = { readonly player: string; readonly points: number; readonly country?: string };
/** An answer to a submission; `body` only when it was accepted. */
export type Answer = {
  readonly status: number;
  readonly body: ScoreResponse | undefined;
  readonly retryAfter: string | null;
};

const stats = z.object({ operations: z.int(), byName: z.record(z.string(), z.int()) });

/** Files of one process have it one after the other: starting a stack is most of what many of them would cost. */
let started: ReturnType<typeof launch> | undefined;

/** A stack as if it had just been started: empty stores, a fresh Worker, no faults. */
export async function startWorld() {
  const isFirst = started === undefined;
  started ??= launch();
  const world = await started;
  if (!isFirst) await world.renew();
  return world;
}

async function launch() {
  const said: string[] = [];
  // It ends with this process (local/process/guard.ts), and its folder with the run.
  const stack = await startOwnStack({ say: (line) => said.push(line) });
  const { api, redisUrl, databaseUrl } = stack.info;
  const postgres = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  postgres.on("error", () => undefined); // killed servers end idle connections
  const redis = new Redis(redisUrl, { protocol: 2, retryStrategy: () => 50, maxRetriesPerRequest: null });
  redis.on("error", () => undefined);

  const endpoints = { neon: stack.info.neonUrl.replace(/\/sql$/, ""), upstash: stack.info.upstashUrl };
  const headers = { authorization: `Bearer ${SERVER_KEY}`, "content-type": "application/json" };

  async function fault(endpoint: "neon" | "upstash", rules: readonly FaultRule[]): Promise<void> {
    const response = await fetch(`${endpoints[endpoint]}/__faults`, { method: "POST", body: JSON.stringify(rules) });
    if (!response.ok) throw new Error(await response.text());
  }

  async function tick(): Promise<void> {
    const response = await fetch(`${api}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the cron answers ${response.status}`);
  }

  async function kill(name: ComponentName): Promise<void> {
    const before = said.length;
    const component = stack.component(name);
    if (!component) throw new Error(`${name} is not ours`);
    component.kill("SIGKILL");
    await until(`${name} is back`, () => said.slice(before).some((line) => line.startsWith(`${name} is back`)), 60_000);
  }

  async function call(route: string, init: RequestInit = {}): Promise<Response> {
    return fetch(api + route, { headers, signal: AbortSignal.timeout(ANSWER_MS), ...init });
  }

  async function post(game: string, submission: Submission, key: string): Promise<Answer> {
    const response = await call(`/v1/games/${game}/scores`, {
      method: "POST",
      headers: { ...headers, "idempotency-key": key },
      body: JSON.stringify(submission),
    });
    const body = z.unknown().parse(await response.json());
    const accepted = response.status < 300 ? ScoreResponse.parse(body) : undefined;
    return { status: response.status, body: accepted, retryAfter: response.headers.get("retry-after") };
  }

  /** The status of each submission of one batch; all 0 when the connection broke. */
  async function postTogether(game: string, submissions: readonly Submission[]): Promise<number[]> {
    const body = JSON.stringify({
      submissions: submissions.map((submission) => ({ ...submission, idempotencyKey: randomUUID() })),
    });
    try {
      const response = await call(`/v1/games/${game}/scores/batch`, { method: "POST", body });
      const answer = z.unknown().parse(await response.json());
      if (!response.ok) return submissions.map(() => response.status);
      return BatchResponse.parse(answer).results.map((result) => {
        if ("status" in result) return result.status;
        return result.ranked ? 201 : 202;
      });
    } catch {
      return submissions.map(() => 0);
    }
  }

  return {
    api,
    stack,
    dataDir: stack.dataDir,
    postgres,
    redis,
    said,
    call,
    post,
    postTogether,
    async newGame(config: Readonly<Record<string, unknown>> = {}): Promise<string> {
      const game = `f-${randomBytes(8).toString("hex")}`;
      const { status } = await call(`/v1/games/${game}`, { method: "PUT", body: JSON.stringify(config) });
      if (status !== 201) throw new Error(`game not created: ${status}`);
      return game;
    },
    /** As a client does: the same key again until it is accepted. All answers, the last one accepted. */
    async postUntilAccepted(game: string, submission: Submission, key: string = randomUUID(), deadlineMs = 60_000) {
      const answers: Answer[] = [];
      const endsAt = Date.now() + deadlineMs;
      for (;;) {
        const answer = await post(game, submission, key).catch(() => undefined);
        if (answer) answers.push(answer);
        if (answer?.body) return { key, answers, body: answer.body };
        if (answer && answer.status < 500) throw new Error(`refused with ${answer.status}`);
        if (Date.now() > endsAt) throw new Error(`not accepted: ${answers.map(({ status }) => status).join(" ")}`);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS * (1 + Math.random())));
      }
    },
    /** Replaces the fault rules of an endpoint. */
    fault,
    /** How many of them have not had all their effects. */
    async faultsLeft(endpoint: "neon" | "upstash"): Promise<number> {
      return z.array(z.unknown()).parse(await (await fetch(`${endpoints[endpoint]}/__faults`)).json()).length;
    },
    async stats(endpoint: "neon" | "upstash") {
      return stats.parse(await (await fetch(`${endpoints[endpoint]}/__stats`)).json());
    },
    /** Fires the cron once and waits for it to end. */
    tick,
    /** Kills a part with SIGKILL and waits for a new process of it that answers. */
    kill,
    /** Nothing of the file before is left; the cron makes the empty Redis this database's again. */
    async renew(): Promise<void> {
      // What is held up in them may not arrive any more.
      await Promise.all([kill("worker"), kill("neon"), kill("upstash")]);
      await postgres.query(`do $$ begin
        execute (select 'truncate ' || string_agg(format('%I', tablename), ',') from pg_tables where schemaname = 'public');
      end $$`);
      await redis.flushall();
      await tick();
    },
  };
}
