/** An upgrade as docs/deploy.md orders it, with submissions running all the time and both Workers on one pair of stores. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import pg from "pg";
import { z } from "zod";
import { TopResponse } from "../../functions/contract/boards.ts";
import { workerComponent } from "../../local/components/worker.ts";
import { MIGRATIONS } from "../../local/migrate.ts";
import { applyPending } from "../../tools/deploy/migrations.ts";
import { connectRedis, putLibrary } from "../../tools/deploy/library.ts";
import { freePort } from "../../local/ports.ts";
import { startStores, type Stores } from "../../local/stores.ts";
import { libraryText } from "../../lua/library.ts";
import { releaseOf } from "../../lua/loader.ts";
import { until } from "../harness/until.ts";
import { buildOlderWorker, previousRelease } from "./older-worker.ts";
import { startTraffic } from "./traffic.ts";

const SERVER_KEY = "eb_upgrade_test_key_with_all_scopes_00";
const GAME = "upgraded";
const today = libraryText();
const yesterday = previousRelease(today);

let folder: string;
let stores: Stores;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "edgeboard-upgrade-"));
  stores = await startStores({ dataDir: path.join(folder, "data") });
}, 240_000);

afterAll(async () => {
  await Promise.all(["yesterday", "today"].map((name) => stores.roster.get(name)?.stop()));
  await stores.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** Starts a Worker on the stores; returns its address. */
async function startWorker(name: "yesterday" | "today", config?: string): Promise<string> {
  const [port, dataDir] = [await freePort(), path.join(folder, name)];
  await mkdir(dataDir);
  const options = { port, dataDir, logFile: stores.roster.logFile(name), ...(config === undefined ? {} : { config }) };
  const variables = {
    DATABASE_URL: stores.databaseUrl,
    NEON_SQL_ENDPOINT: stores.neonUrl,
    UPSTASH_REDIS_REST_URL: stores.upstashUrl,
    UPSTASH_REDIS_REST_TOKEN: stores.upstashToken,
    REDIS_TARGET: "redis",
    // No room: a push that fails never fails a request.
    PARTY_URL: "http://127.0.0.1:9",
    PARTY_PUSH_SECRET: stores.secrets.partyPushSecret,
    SERVER_KEY,
  };
  await stores.roster.start({ ...workerComponent({ ...options, variables }), name });
  return `http://127.0.0.1:${port}`;
}

const Journal = z.looseObject({ entries: z.array(z.looseObject({ idx: z.int(), tag: z.string(), when: z.number() })) });

/** Today's migrations and one more, of the kinds that an expanding migration may do. */
async function tomorrowsMigrations(): Promise<string> {
  const copy = path.join(folder, "migrations");
  await cp(MIGRATIONS, copy, { recursive: true });
  const file = path.join(copy, "meta", "_journal.json");
  const journal = Journal.parse(JSON.parse(await readFile(file, "utf8")));
  const last = journal.entries.at(-1);
  const [idx, when] = [(last?.idx ?? 0) + 1, (last?.when ?? 0) + 1];
  journal.entries.push({ ...last, idx, when, tag: "9999_expand" });
  await writeFile(file, JSON.stringify(journal));
  await writeFile(
    path.join(copy, "9999_expand.sql"),
    `alter table submissions add column upgrade_note text;
     alter table bests add column upgrade_count int not null default 0;
     create index upgrade_index on bests (game, upgrade_count);
     create function upgrade_v2() returns int language sql as $$ select 1 $$;`,
  );
  return copy;
}

async function top(api: string): Promise<TopResponse["entries"]> {
  const response = await fetch(`${api}/v1/games/${GAME}/boards/current/top?n=100`);
  expect(response.headers.get("edgeboard-source")).toBe("redis");
  return TopResponse.parse(await response.json()).entries;
}

/** The fold of the submissions, in the order of the boards, by Postgres alone. */
async function fold(): Promise<{ player: string; points: number }[]> {
  const client = new pg.Client({ connectionString: stores.databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `select player, points::int from (
       select distinct on (player) player, points, date_trunc('second', submitted_at) as second from submissions
       where game = $1 order by player, points desc, second) s
     order by points desc, second, player collate "C" desc`,
    [GAME],
  );
  await client.end();
  return z.array(z.object({ player: z.string(), points: z.number() })).parse(rows);
}

test(
  "schema, library and Worker are upgraded under traffic: no error, boards equal, no way back",
  { timeout: 300_000 },
  async () => {
    const redis = connectRedis({
      UPSTASH_REDIS_REST_URL: stores.upstashUrl,
      UPSTASH_REDIS_REST_TOKEN: stores.upstashToken,
    });
    const release = async () => Number(await redis.functions.call("lb_release_v2", [], []));

    // Yesterday: its schema, its library (brought by the Worker itself), its Worker.
    await applyPending(stores.databaseUrl, "all");
    const oldApi = await startWorker("yesterday", await buildOlderWorker(path.join(folder, "bundle")));
    const created = await fetch(`${oldApi}/v1/games/${GAME}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${SERVER_KEY}`, "content-type": "application/json" },
      body: "{}",
    });
    expect(created.status).toBe(201);
    expect(await release()).toBe(releaseOf(yesterday));
    const traffic = startTraffic(GAME, SERVER_KEY, oldApi);
    const more = (n: number) => {
      const target = traffic.accepted() + n;
      return until(`${n} more submissions`, () => traffic.accepted() >= target, 60_000);
    };
    await more(20);

    // Expand, load, deploy: each while submissions run.
    const { applied } = await applyPending(stores.databaseUrl, "expand", await tomorrowsMigrations());
    expect(applied).toEqual(["9999_expand"]);
    await more(20);
    expect(await putLibrary(redis, today, "redis")).toBe("loaded");
    await more(20);
    const newApi = await startWorker("today");
    await traffic.route(oldApi, newApi);
    await more(40);
    expect(await top(oldApi)).toHaveLength(40);

    // Redis loses its functions, and the old Worker is the first to notice: it brings its own, which the new one can use.
    await traffic.route(oldApi);
    // The new Worker has pushes to finish after its answers, and they would bring its library.
    await more(20);
    await redis.functions.flush();
    await more(20);
    expect(await release()).toBe(releaseOf(yesterday));
    await traffic.route(oldApi, newApi);
    await more(20);
    // The next step of a deployment loads today's again, and no old Worker takes it away.
    expect(await putLibrary(redis, today, "redis")).toBe("loaded");
    expect(await putLibrary(redis, yesterday, "redis")).toBe("newer");
    await more(20);
    expect(await release()).toBe(releaseOf(today));

    // The old Worker goes.
    await traffic.route(newApi);
    await more(20);
    await stores.roster.get("yesterday")?.stop();
    await more(20);

    const { problems, bests } = await traffic.stop();
    expect(problems).toEqual([]);
    // Tops are kept for a second in an isolate, so the last submissions may take that long to show.
    const expected = await fold();
    expect(new Map(expected.map(({ player, points }) => [player, points]))).toEqual(bests);
    await until("the board of Redis is the fold of the submissions", async () => {
      const entries = await top(newApi);
      return JSON.stringify(entries.map(({ player, points }) => ({ player, points }))) === JSON.stringify(expected);
    });
  },
);
