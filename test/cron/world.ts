/**
 * The Worker's services over the real adapters, with a Redis, a database and endpoints of the test file's own: what a
 * test flushes, counts or breaks here is no other file's.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { Client } from "pg";
import { z } from "zod";
import { createApp } from "../../functions/app.ts";
import { tick } from "../../functions/cron/tick.ts";
import { createBreakers } from "../../functions/adapters/breakers.ts";
import { createDeps } from "../../functions/deps.ts";
import { parseEnv } from "../../functions/env.ts";
import type { Deps } from "../../functions/deps-type.ts";
import { libraryText } from "../../lua/library.ts";
import { createMigratedDatabase } from "../../local/prepared.ts";
import { neonService } from "../../local/neon/service.ts";
import type { Limits } from "../../local/upstash/limits.ts";
import { upstashService } from "../../local/upstash/service.ts";
import { until } from "../harness/until.ts";
import { freshGameId } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";
import { startEndpoint, startRoom } from "./endpoints.ts";
import { refusingBeyond } from "./platform.ts";
import { startRedisProcess } from "./redis-process.ts";

const LIBRARY = libraryText();
/** What is tested here is no deadline, and other tests keep the machine busy. */
const PATIENT = { postgres: 50_000, redis: 50_000, room: 50_000 };
const SERVER_KEY = "a-server-key-of-a-test";
const BadgeRow = z.object({ player: z.string(), badge: z.string() });
const Results = z.object({ results: z.array(z.object({ submissionId: z.uuid() })) });

export type Score = { readonly player: string; readonly points: number };

export type World = Awaited<ReturnType<typeof startWorld>>;

/** `deadlines`: how long the services wait for an answer. */
export async function startWorld(deadlines = PATIENT, limits: Partial<Limits> = {}) {
  const [databaseUrl, redisProcess, room] = await Promise.all([
    createMigratedDatabase(stack().databaseUrl, `cron_${randomBytes(6).toString("hex")}`),
    startRedisProcess(),
    startRoom(),
  ]);
  const token = randomUUID();
  const upstash = await startEndpoint(await upstashService({ redisUrl: redisProcess.url, token, limits }));
  const neon = await startEndpoint(neonService({ databaseUrl }));
  const postgres = new Client({ connectionString: databaseUrl });
  await postgres.connect();

  const env = parseEnv({
    DATABASE_URL: databaseUrl,
    NEON_SQL_ENDPOINT: `${neon.url}/sql`,
    UPSTASH_REDIS_REST_URL: upstash.url,
    UPSTASH_REDIS_REST_TOKEN: token,
    REDIS_TARGET: "redis",
    PARTY_URL: room.url,
    PARTY_PUSH_SECRET: "push-secret-of-a-test",
    SERVER_KEY,
  });

  const breakers = createBreakers();

  /** Dependencies as one request or one run of the cron has them; `settled` waits for what goes on afterwards. */
  function createRun(now?: () => number, subrequests?: number): { deps: Deps; settled: () => Promise<void> } {
    const work: Promise<void>[] = [];
    const background = {
      keep: (work: Promise<void>) => void work,
      run: (_name: string, start: () => Promise<void>) => void work.push(start().catch(() => {})),
    };
    const settled = async () => {
      for (let i = 0; i < work.length; i++) await work[i];
    };
    const limit = subrequests === undefined ? {} : { subrequests };
    const options = { ...(now && { now }), ...limit, deadlines, breakers };
    return { deps: createDeps(env, LIBRARY, background, options), settled };
  }

  async function run<T>(work: (deps: Deps) => Promise<T>, now?: () => number, subrequests?: number): Promise<T> {
    const { deps, settled } = createRun(now, subrequests);
    const result = await work(deps);
    await settled();
    return result;
  }

  /** A request to the API, answered in this process; resolves when its background work is done too. */
  async function ask(
    method: string,
    path: string,
    body?: unknown,
    { headers = {}, laterMs = 0 }: { headers?: Readonly<Record<string, string>>; laterMs?: number } = {},
  ) {
    const { deps, settled } = createRun(() => Date.now() + laterMs);
    const app = createApp(
      () => deps,
      () => deps.background,
    );
    const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} };
    const sent = { authorization: `Bearer ${SERVER_KEY}`, "content-type": "application/json", ...headers };
    const init = { method, headers: sent, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await app.request(path, init, {}, context);
    await settled();
    const answer: unknown = response.status === 204 ? undefined : await response.json();
    return { status: response.status, headers: response.headers, body: answer };
  }

  /** The body of a request that must be answered with a success. */
  async function api(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await ask(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async function rows<T extends z.ZodType>(row: T, text: string, params: unknown[]): Promise<z.infer<T>[]> {
    return z.array(row).parse((await postgres.query(text, params)).rows);
  }

  return {
    /** What finds the stores for a command-line tool. */
    storesByTcp: { DATABASE_URL: databaseUrl, REDIS_URL: redisProcess.url },
    redis: redisProcess.redis,
    /** Redis dies and is back, empty; resolves when the endpoint in front of it has found it again. */
    async lose() {
      await redisProcess.lose();
      const headers = { authorization: `Bearer ${token}` };
      const ping = () => fetch(upstash.url, { method: "POST", headers, body: '["PING"]' });
      await until("the endpoint reaches Redis again", async () => (await ping()).status === 200);
    },
    upstash,
    neon,
    room,
    postgres,
    run,
    rows,
    ask,
    api,

    /** A game of the test's own. */
    async game(config: Readonly<Record<string, unknown>> = {}): Promise<string> {
      const game = freshGameId();
      await api("PUT", `/v1/games/${game}`, config);
      return game;
    },

    /** Submits in one batch; the ids of the submissions. */
    async submit(game: string, ...scores: readonly Score[]): Promise<string[]> {
      const submissions = scores.map((score) => ({ ...score, idempotencyKey: randomUUID() }));
      const { results } = Results.parse(await api("POST", `/v1/games/${game}/scores/batch`, { submissions }));
      return results.map(({ submissionId }) => submissionId);
    },

    /** One run of the cron, `laterMs` from now. */
    tick: (laterMs = 0) => run(tick, () => Date.now() + laterMs),

    /** One run of the cron, `laterMs` from now, on a platform that refuses more than `subrequests`; how many it sent. */
    tickWithin: (subrequests: number, laterMs = 0) =>
      refusingBeyond(subrequests, () => run(tick, () => Date.now() + laterMs, subrequests)),

    /** "player badge" of every badge awarded, sorted. */
    async badges(game: string): Promise<string[]> {
      const found = await rows(BadgeRow, "select player, badge from badges where game = $1", [game]);
      return found.map(({ player, badge }) => `${player} ${badge}`).toSorted();
    },

    /** "player badge" of every announcement to the game's rooms, sorted. */
    announced: (game: string): string[] =>
      room.announced
        .filter((announcement) => announcement.room.startsWith(`${game}_`))
        .map(({ player, badge }) => `${player} ${badge}`)
        .toSorted(),

    async stop() {
      await postgres.end();
      await Promise.all([upstash.stop(), neon.stop(), room.stop(), redisProcess.stop()]);
    },
  };
}
