import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { until } from "../harness/until.ts";
import { expectBoardsEqualPostgres } from "./boards.ts";
import { startWorld, type World } from "./world.ts";
import { allTimeKey } from "../harness/board-keys.ts";

/** More than a breaker and the warning need. */
const MANY = 12;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});

const logText = () => readFileSync(world.stack.logFile("worker"), "utf8");
const metrics = async () => (await world.call("/metrics")).text();

/** The statuses of many submissions, one after the other, by a player whose name must not be seen anywhere. */
async function submitMany(game: string, player: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < MANY; n += 1) statuses.push((await world.post(game, { player, points: n }, randomUUID())).status);
  return statuses;
}

const refusalLine = (dependency: string, code: string) =>
  `"event":"dependency","dependency":"${dependency}","outcome":"refused","reason":"${code}"`;

describe("what Redis refuses is told apart from what it does not answer", { shuffle: false }, () => {
  it("a broken board of one game: 202 with the reason in log and metrics until it is mended, other games are ranked", async () => {
    const [broken, other] = [await world.newGame(), await world.newGame()];
    const player = `nobody-may-read-${randomUUID()}`;
    await world.postUntilAccepted(broken, { player: "ann", points: 5 });
    await world.redis.del(allTimeKey(broken));
    await world.redis.set(allTimeKey(broken), "text");
    expect((await world.post(broken, { player, points: 7 }, randomUUID())).status).toBe(202);
    expect((await world.post(other, { player: "ann", points: 5 }, "ann")).status).toBe(201);

    expect(await metrics()).toMatch(/^edgeboard_redis_refusals\{code="WRONGTYPE"\} [1-9]\d*$/m);
    expect(await metrics()).toMatch(/^edgeboard_unranked_submissions\{cause="refused"\} [1-9]\d*$/m);
    expect(logText()).toContain(refusalLine("redis", "WRONGTYPE"));
    expect(logText()).toMatch(/"route":"[^"]*scores"[^\n]*"redisFailure":"refused WRONGTYPE"/);
    expect(logText()).not.toContain(player);
    expect(logText()).not.toContain("lb:{");
    await until("the board is mended", async () =>
      (await submitMany(broken, player)).every((status) => status === 201),
    );
    await expectBoardsEqualPostgres(world, broken);
  });

  it("a full Redis: 202 with OOM as the reason, reads go on, and all is ranked when there is room", async () => {
    const game = await world.newGame();
    await world.postUntilAccepted(game, { player: "ann", points: 5 });
    await world.redis.config("SET", "maxmemory", "1");
    expect((await submitMany(game, "bob")).every((status) => status === 202)).toBe(true);
    expect((await world.call(`/v1/games/${game}/boards/current/top`)).status).toBe(200);
    await world.redis.config("SET", "maxmemory", "0");
    expect(await metrics()).toMatch(/^edgeboard_redis_refusals\{code="OOM"\} [1-9]\d*$/m);
    expect(await metrics()).toContain('edgeboard_given_up{dependency="redis"} 0');
    expect(logText()).toContain(refusalLine("redis", "OOM"));
    expect(logText()).toMatch(/"level":"warn","event":"unranked","cause":"refused"/);
    expect((await world.post(game, { player: "cid", points: 9 }, "cid")).status).toBe(201);
    await world.tick();
    await world.tick();
    await expectBoardsEqualPostgres(world, game);
  });

  it("a quota and a proxy's 503 have different names", async () => {
    const game = await world.newGame();
    await world.fault("upstash", [{ action: "status", status: 429, times: 3 }]);
    await until("the quota is gone", async () => (await submitMany(game, "ann")).includes(201));
    expect(logText()).toContain(refusalLine("redis", "QUOTA"));
    const player = randomUUID();
    await world.fault("upstash", [{ action: "status", status: 503, match: player, times: 1 }]);
    expect((await world.post(game, { player, points: 1 }, randomUUID())).status).toBe(202);
    expect(await metrics()).toMatch(/^edgeboard_unranked_submissions\{cause="unreachable"\} [1-9]\d*$/m);
  });
});

describe("what Postgres refuses", () => {
  it("a missing SQL function is a 503 whose log and metrics say which kind of mistake it is", async () => {
    const game = await world.newGame();
    const { rows } = await world.postgres.query(
      "select proname as name, oid::regprocedure::text as signature from pg_proc where proname like 'submit_scores_v%'",
    );
    const functions = z.array(z.object({ name: z.string(), signature: z.string() })).parse(rows);
    for (const { name, signature } of functions) {
      await world.postgres.query(`alter function ${signature} rename to away_${name}`);
    }
    expect(await submitMany(game, "ann")).toEqual(Array.from({ length: MANY }, () => 503));
    for (const { name, signature } of functions) {
      await world.postgres.query(`alter function away_${signature} rename to ${name}`);
    }
    expect(logText()).toContain(refusalLine("postgres", "42883"));
    expect(await metrics()).toMatch(/^edgeboard_postgres_refusals\{code="42883"\} [1-9]\d*$/m);
    // A refusal is an answer: nobody has to wait until Postgres is asked again.
    expect((await world.post(game, { player: "ann", points: 5 }, "again")).status).toBe(201);
  });
});
