/** What a submission costs the stores: requests, billed commands, Redis time, bytes; in dollars at published prices. */
import { Redis } from "ioredis";
import pg from "pg";
import type { Play } from "../../../tools/demo/evening.ts";
import { z } from "zod";
import type { BenchStack } from "../bench-stack.ts";
import { commandStats } from "../command-stats.ts";
import { until } from "../../harness/until.ts";
import { fire } from "../load.ts";
import { rowsSince, settledCounters } from "../row-stats.ts";
import { figure } from "../rounds.ts";
import type { Line, Section } from "../report.ts";
import { JSON_HEADERS, plays, reference } from "./submits.ts";

/** Upstash, pay as you go: 0.20 dollars per 100,000 commands (PLATFORM 1.3, published 2026). */
const DOLLARS_PER_COMMAND = 0.2 / 100_000;

const Stats = z.object({ requests: z.int(), operations: z.int(), bytesIn: z.int(), bytesOut: z.int() });

async function endpointStats(url: string) {
  return Stats.parse(await (await fetch(new URL("/__stats", url))).json());
}

type Stores = { readonly redis: Redis; readonly postgres: pg.Client };

/** What one kind of submission costs, each figure a submission. */
async function measure(bench: BenchStack, { redis, postgres }: Stores, bodies: readonly string[], game: string) {
  const { info } = bench.stack;
  const before = await settledCounters(postgres);
  for (const url of [info.upstashUrl, info.neonUrl]) await fetch(new URL("/__stats", url), { method: "DELETE" });
  await redis.config("RESETSTAT");
  await fire({
    baseUrl: info.api,
    // Two never meet, so that each has a statement and a call of its own.
    clients: 2,
    count: bodies.length,
    headers: JSON_HEADERS,
    shot: (i) => ({ method: "POST", path: `/v1/games/${game}/scores`, body: bodies[i] ?? "" }),
  });
  const [upstash, neon] = [await endpointStats(info.upstashUrl), await endpointStats(info.neonUrl)];
  const { calls, fcallUs, fcalls } = await commandStats(redis);
  const n = bodies.length;
  const rows = await rowsSince(postgres, before, n);
  return {
    // Every request to Redis beside the submissions' own is one command more: the mark of a busy game every 20 seconds.
    calls: (calls - (upstash.operations - n)) / n,
    beside: (upstash.operations - n) / n,
    us: fcallUs / fcalls,
    upstash: upstash.requests / n,
    neon: neon.requests / n,
    statements: neon.operations / n,
    written: (rows.inserted + rows.updated) / n,
    fetched: rows.fetched / n,
    bytes: (upstash.bytesIn + upstash.bytesOut + neon.bytesIn + neon.bytesOut) / n,
  };
}

/** Lets the cron compare everything that was submitted with Redis, as it does every minute. */
async function verified(bench: BenchStack, postgres: pg.Client, game: string): Promise<void> {
  await until(
    "everything is verified",
    async () => {
      await (await fetch(`${bench.stack.info.api}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`)).arrayBuffer();
      const { rows } = await postgres.query(
        `select r.verified_until >= (select max(s.id::text)::uuid from submissions s where s.game = $1) as done
          from reconciliations r where r.game = $1`,
        [game],
      );
      return rows[0]?.done === true;
    },
    120_000,
  );
}

/** The home-made way counted the same way: its three requests and the commands inside of the first. */
async function referenceCommands(bench: BenchStack, redis: Redis, count: number): Promise<number> {
  await redis.config("RESETSTAT");
  await reference(bench, 0, count);
  return (await commandStats(redis)).calls / count;
}

const exactly = (value: number) => figure([value]);

export async function benchCost(bench: BenchStack, count: number, say: (line: string) => void): Promise<Section> {
  const redis = new Redis(bench.stack.info.redisUrl);
  const postgres = new pg.Client({ connectionString: bench.stack.info.databaseUrl });
  await postgres.connect();
  const stores = { redis, postgres };
  const game = await bench.freshGame();
  const lines: Line[] = [];
  const report = (kind: string, m: Awaited<ReturnType<typeof measure>>, atMost?: number) => {
    lines.push(
      {
        name: `${kind}: commands billed`,
        unit: "per submission",
        figure: exactly(m.calls),
        goal: atMost === undefined ? undefined : { atMost },
      },
      {
        name: `${kind}: commands beside it, for the list of busy games and pushes`,
        unit: "per submission",
        figure: exactly(m.beside),
      },
      {
        name: `${kind}: Redis commands`,
        unit: "dollars per million",
        figure: exactly((m.calls + m.beside) * DOLLARS_PER_COMMAND * 1_000_000),
      },
      { name: `${kind}: time in Redis`, unit: "µs per FCALL", figure: exactly(m.us) },
      { name: `${kind}: rows written in Postgres`, unit: "per submission", figure: exactly(m.written) },
      { name: `${kind}: rows fetched by an index`, unit: "per submission", figure: exactly(m.fetched) },
    );
  };
  const evening = plays(1, count);
  say(`the demo: ${count} submissions`);
  const demo = await measure(
    bench,
    stores,
    evening.map((play) => JSON.stringify(play)),
    game,
  );
  lines.push(
    { name: "Postgres requests", unit: "per submission", figure: exactly(demo.neon) },
    { name: "SQL statements", unit: "per submission", figure: exactly(demo.statements) },
    { name: "Redis requests", unit: "per submission", figure: exactly(demo.upstash) },
    { name: "bytes to and from the stores", unit: "per submission", figure: exactly(demo.bytes) },
  );
  report("demo workload", demo, 8);
  const bests = new Map<string, Play>();
  for (const play of evening) if (play.points > (bests.get(play.player)?.points ?? -1)) bests.set(play.player, play);
  // A player far from the top 10, so that a better score does not reach it.
  const players = [...bests.values()].sort((a, b) => b.points - a.points).slice(100, 2_100);
  const kinds: { kind: string; atMost?: number; points: (play: Play, i: number) => number }[] = [
    { kind: "weekly and all-time best", points: (play) => play.points + 1 },
    { kind: "no best, a moment after the last best", atMost: 5, points: () => 1 },
    { kind: "no best", atMost: 5, points: () => 1 },
    { kind: "into both top 10s", points: (_, i) => 2_000_000_000 + i },
  ];
  for (const { kind, atMost, points } of kinds) {
    say(kind);
    if (kind === "no best") await verified(bench, postgres, game);
    const bodies = players.map((play, i) => JSON.stringify({ ...play, points: points(play, i) }));
    report(kind, await measure(bench, stores, bodies, game), atMost);
  }
  lines.push({
    name: "home-made way: commands billed",
    unit: "per submission",
    figure: exactly(await referenceCommands(bench, redis, count)),
  });
  await Promise.all([redis.quit(), postgres.end()]);
  return { title: "Cost of a submission", lines };
}
