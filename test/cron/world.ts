/**
 * The Worker's services over the real adapters, with a Redis, a database and endpoints of the test file's own: what a
 * test flushes, counts or breaks here is nobody else's.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Client } from "pg";
import { z } from "zod";
import { GameRequest } from "../../functions/contract/games.ts";
import { tick } from "../../functions/cron/tick.ts";
import { createDeps } from "../../functions/deps.ts";
import { putGame } from "../../functions/services/games.ts";
import { submitScores } from "../../functions/services/submit-scores.ts";
import type { Deps } from "../../functions/services/ports.ts";
import { applyMigrations } from "../../local/migrate.ts";
import { neonService } from "../../local/neon/service.ts";
import { upstashService } from "../../local/upstash/service.ts";
import { freshGameId } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";
import { startEndpoint, startRoom } from "./endpoints.ts";
import { startRedisProcess } from "./redis-process.ts";

const LIBRARY = await readFile(new URL("../../lua/leaderboard.lua", import.meta.url), "utf8");
const BadgeRow = z.object({ player: z.string(), badge: z.string() });

export type Score = { readonly player: string; readonly points: number };

async function newDatabase(): Promise<string> {
  const name = `cron_${randomBytes(6).toString("hex")}`;
  const admin = new Client({ connectionString: stack().databaseUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = new URL(stack().databaseUrl);
  url.pathname = `/${name}`;
  await applyMigrations(url.href);
  return url.href;
}

export type World = Awaited<ReturnType<typeof startWorld>>;

export async function startWorld() {
  const [databaseUrl, redisProcess, room] = await Promise.all([newDatabase(), startRedisProcess(), startRoom()]);
  const token = randomUUID();
  const upstash = await startEndpoint(upstashService({ redisUrl: redisProcess.url, token }));
  const neon = await startEndpoint(neonService({ databaseUrl }));
  const postgres = new Client({ connectionString: databaseUrl });
  await postgres.connect();

  /** Dependencies as one request or one run of the cron has them; `settled` waits for what goes on afterwards. */
  function createRun(now?: () => number): { deps: Deps; settled: () => Promise<void> } {
    const work: Promise<void>[] = [];
    const background = { run: (_name: string, start: () => Promise<void>) => void work.push(start().catch(() => {})) };
    const env = {
      DATABASE_URL: databaseUrl,
      NEON_SQL_ENDPOINT: `${neon.url}/sql`,
      UPSTASH_REDIS_REST_URL: upstash.url,
      UPSTASH_REDIS_REST_TOKEN: token,
      REDIS_TARGET: "redis" as const,
      PARTY_URL: room.url,
      PARTY_PUSH_SECRET: "push-secret-of-a-test",
    };
    const settled = async () => {
      for (let i = 0; i < work.length; i++) await work[i];
    };
    return { deps: createDeps(env, LIBRARY, background, now), settled };
  }

  async function run<T>(work: (deps: Deps) => Promise<T>, now?: () => number): Promise<T> {
    const { deps, settled } = createRun(now);
    const result = await work(deps);
    await settled();
    return result;
  }

  async function rows<T extends z.ZodType>(row: T, text: string, params: unknown[]): Promise<z.infer<T>[]> {
    return z.array(row).parse((await postgres.query(text, params)).rows);
  }

  return {
    ...{ redis: redisProcess.redis, lose: redisProcess.lose, upstash, neon, room, postgres, run, rows },

    /** A game of the test's own. */
    async game(config: z.input<typeof GameRequest> = {}): Promise<string> {
      const game = freshGameId();
      await run((deps) => putGame(deps, game, GameRequest.parse(config)));
      return game;
    },

    /** Submits as the API does; one call. */
    submit: (game: string, ...scores: readonly Score[]) =>
      run((deps) => {
        const rest = () => ({ idempotencyKey: randomUUID(), edgeCountry: undefined });
        return submitScores(deps, game, scores.map((score) => ({ ...score, ...rest() })));
      }),

    /** One run of the cron, `laterMs` from now. */
    tick: (laterMs = 0) => run(tick, () => Date.now() + laterMs),

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
