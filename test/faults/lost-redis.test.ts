import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TopResponse } from "../../functions/contract/boards.ts";
import { isNewer } from "../../functions/contract/live.ts";
import { activityKey, rebuildStateKey, weekKey } from "../../functions/adapters/redis/keys.ts";
import { weekOf } from "../../functions/domain/week.ts";
import { until } from "../harness/until.ts";
import { expectBoardsEqualPostgres, feedOf } from "./boards.ts";
import { seedPlayers } from "./seed.ts";
import { LONG, startWorld, type World } from "./world.ts";

const PLAYERS = LONG ? 100_000 : 12_000;
const A_SECOND = LONG ? 500 : 60;
const RIGHT_WITHIN_MS = 5_000;
const PAGE = 5_000;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const board = (game: string) => weekKey(game, weekOf(Date.now()));

async function top(game: string) {
  const response = await world.call(`/v1/games/${game}/boards/current/top`);
  expect(response.status).toBe(200);
  const body = TopResponse.parse(await response.json());
  return { source: response.headers.get("edgeboard-source"), body };
}

const isWarm = async (game: string) => (await world.redis.exists(activityKey(game))) === 1;

/** A reader that comes by notices, so that the rebuild starts. */
const untilWarm = (game: string) =>
  until("Redis has the game", async () => (await isWarm(game)) || (await top(game), isWarm(game)), 60_000);

const untilFirstPage = (game: string) =>
  until(
    "the first page is loaded",
    async () => (await top(game), await world.redis.zcard(board(game))) === PAGE,
    30_000,
  );

async function newBigGame(players: number): Promise<string> {
  // Without badges: thousands of them would be awarded first, and are not what is tested here.
  const game = await world.newGame({ badges: [] });
  await seedPlayers(world, game, players);
  await world.redis.flushall();
  await untilWarm(game);
  return game;
}

const CLIENTS = 16;

/** Submits at a steady rate until it is stopped; the statuses that came back, 0 for a connection that broke. */
function startSubmitting(game: string) {
  const statuses: number[] = [];
  const startedAt = Date.now();
  let sent = 0;
  const stopping = new AbortController();
  const client = async () => {
    while (!stopping.signal.aborted) {
      const n = sent++;
      const dueAt = startedAt + (n / A_SECOND) * 1_000;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - Date.now())));
      const submission = { player: `late-${n % 2_000}`, points: n, country: "JP" };
      const status = await world.post(game, submission, randomUUID()).then(
        (answer) => answer.status,
        () => 0,
      );
      statuses.push(status);
    }
  };
  const done = Promise.all(Array.from({ length: CLIENTS }, client));
  return {
    statuses,
    async stop() {
      stopping.abort();
      await done;
      return statuses;
    },
  };
}

describe(`FLUSHALL with ${PLAYERS} players under ${A_SECOND} submissions a second`, () => {
  it("refuses nobody, never shows an older version, has the right top 10 within 5 s and then every board", async () => {
    const game = await newBigGame(PLAYERS);
    const before = await top(game);
    const load = startSubmitting(game);
    await until("the load runs", () => load.statuses.length > A_SECOND, 60_000);

    await world.redis.flushall();
    const flushedAt = Date.now();
    let rightAfterMs = 0;
    let last = before.body.version;
    await until(
      "the top 10 comes from Redis again",
      async () => {
        // From Postgres, marked so, until Redis has it again; the first places are known.
        const { body, source } = await top(game);
        expect(isNewer(last, body.version), `${body.version} after ${last}`).toBe(false);
        expect(body.entries).toEqual(before.body.entries);
        rightAfterMs ||= Date.now() - flushedAt;
        last = body.version;
        return source === "redis" && isWarm(game);
      },
      120_000,
    );
    expect(rightAfterMs).toBeLessThan(RIGHT_WITHIN_MS);

    const statuses = await load.stop();
    expect(statuses.filter((status) => status !== 201 && status !== 202)).toEqual([]);
    await world.tick();
    await world.tick();
    await expectBoardsEqualPostgres(world, game);
  }, 300_000);
});

describe("a Redis that is emptied", () => {
  it("in the middle of a rebuild, between two pages: the rebuild starts over, and is not taken for complete", async () => {
    const game = await newBigGame(PAGE + 1);
    await world.redis.flushall();
    // The run empties the boards, loads the first page, and waits with the second.
    await world.fault("upstash", [{ match: "lb_page_v1", action: "delay", delayMs: 1_000, skip: 2, times: 1 }]);
    await untilFirstPage(game);
    await world.redis.flushall();
    await untilWarm(game);
    await expectBoardsEqualPostgres(world, game);
  });

  it("is never first of one: a submission into it is not ranked, and is after the rebuild", async () => {
    const game = await newBigGame(100);
    await world.redis.flushall();
    const answer = await world.post(game, { player: "ann", points: 3 }, "first");
    expect(answer).toMatchObject({ status: 202, body: { ranked: false, rank: null, boardSize: null } });
    await untilWarm(game);
    const again = await world.post(game, { player: "ann", points: 3 }, "first");
    expect(again).toMatchObject({ status: 200, body: { boardSize: 101, replayed: true } });
    await expectBoardsEqualPostgres(world, game);
  });

  it("is noticed and refilled by the tick alone", async () => {
    const game = await newBigGame(100);
    await world.redis.flushall();
    await world.tick();
    expect(await isWarm(game)).toBe(true);
    await expectBoardsEqualPostgres(world, game);
  });

  it("loses its functions in the middle of traffic: nobody is refused and everybody is ranked", async () => {
    const game = await newBigGame(100);
    const load = startSubmitting(game);
    for (let n = 1; n <= 5; n += 1) {
      await until("traffic goes on", () => load.statuses.length > n * 10);
      await world.redis.call("FUNCTION", "FLUSH");
    }
    const statuses = await load.stop();
    expect(statuses.filter((status) => status !== 201 && status !== 202)).toEqual([]);
    const players = async () => Number(await world.redis.zcard(board(game)));
    await until("everybody is ranked", async () => (await players()) === 100 + statuses.length);
    await expectBoardsEqualPostgres(world, game);
  });

  it("has lost the feed only: what a board had too much or too high is gone after the rebuild", async () => {
    const game = await newBigGame(100);
    await world.redis.zadd(board(game), 2 ** 52, "nobody", 2 ** 51, "seed-0000050");
    await world.redis.del(activityKey(game));
    await untilWarm(game);
    await expectBoardsEqualPostgres(world, game);
    expect((await feedOf(world, game)).length).toBe(100);
  });
});

describe("a rebuild whose Worker is killed between two pages", () => {
  it("is continued by the next tick where it stopped", async () => {
    const game = await newBigGame(PAGE + 1);
    await world.redis.flushall();
    await world.fault("upstash", [{ match: "lb_page_v1", action: "drop-before", skip: 2 }]);
    const state = () => world.redis.hget(rebuildStateKey(game), "position");
    await untilFirstPage(game);
    const position = await state();
    await world.kill("worker");
    await world.fault("upstash", []);
    expect(await state()).toBe(position);
    await until("the tick has rebuilt it", async () => (await world.tick(), isWarm(game)), 60_000);
    await expectBoardsEqualPostgres(world, game);
  });
});
