/** The stores of two deployments never meet in a tool: both or neither are named, and both hold the same id. */
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEPLOYMENT_KEY } from "../../functions/adapters/redis/keys.ts";
import { weekOf } from "../../functions/domain/board/week.ts";
import { requireOwnRedis } from "../../local/given-stores.ts";
import { applyMigrations } from "../../local/migrate.ts";
import { expectBoardsEqualPostgres } from "./boards.ts";
import { runTool } from "./run-tool.ts";
import { startWorld, type World } from "./world.ts";
import { weekKey } from "../harness/board-keys.ts";

let world: World;
let here: { readonly REDIS_URL: string; readonly DATABASE_URL: string };
/** Another deployment's stores on the same servers: a database, and a Redis database, of its own. */
let there: typeof here;
let redisThere: Redis;
const EMPTY = "/nowhere";

beforeAll(async () => {
  world = await startWorld();
  here = { REDIS_URL: world.stack.info.redisUrl, DATABASE_URL: world.stack.info.databaseUrl };
  await world.postgres.query("create database another");
  there = {
    REDIS_URL: `${here.REDIS_URL}/1`,
    DATABASE_URL: Object.assign(new URL(here.DATABASE_URL), { pathname: "/another" }).href,
  };
  await applyMigrations(there.DATABASE_URL);
  await requireOwnRedis(there.REDIS_URL, there.DATABASE_URL);
  redisThere = new Redis(there.REDIS_URL, { protocol: 2 });
});
afterAll(async () => {
  redisThere.disconnect();
  await world.postgres.query("drop database another with (force)");
});

async function newGame(): Promise<string> {
  const game = await world.newGame();
  for (const player of ["ann", "bob"]) await world.postUntilAccepted(game, { player, points: 7, country: "DE" });
  return game;
}

const tools = [["doctor", "--repair"], ["doctor"], ["rebuild"], ["badges", "--backfill"]] as const;

describe("stores of two deployments", () => {
  it.for(tools)(
    "are refused by npm run %s %s before anything is written, by host, port and database",
    async ([tool, ...args]) => {
      await newGame();
      const dump = async () => (await world.redis.keys("*")).filter((key) => !key.endsWith(":push")).sort();
      const [before, beforeThere] = [await dump(), await redisThere.keys("*")];
      const mixes = [
        { REDIS_URL: here.REDIS_URL, DATABASE_URL: there.DATABASE_URL },
        { REDIS_URL: there.REDIS_URL, DATABASE_URL: here.DATABASE_URL },
      ];
      for (const mix of mixes) {
        const { code, stderr, stdout } = await runTool(tool, { DATA_DIR: EMPTY, ...mix }, ...args);
        expect(code, stdout + stderr).toBe(tool === "doctor" ? 2 : 1);
        const [redis, postgres] = [new URL(mix.REDIS_URL), new URL(mix.DATABASE_URL)];
        expect(stderr).toContain(`Redis ${redis.host}${redis.pathname}, Postgres ${postgres.host}${postgres.pathname}`);
        expect(stderr).toContain("belong to two deployments; nothing was written");
        expect(stderr).toContain("npm run doctor -- --adopt --repair");
        expect(stderr + stdout).not.toContain(postgres.password + "@");
      }
      expect(await dump()).toEqual(before);
      expect(await redisThere.keys("*")).toEqual(beforeThere);
    },
  );

  it.for(["REDIS_URL", "DATABASE_URL"] as const)("are not mixed by setting %s alone", async (name) => {
    const { code, stderr } = await runTool("doctor", { DATA_DIR: world.dataDir, [name]: there[name] }, "--repair");
    expect(code).toBe(2);
    expect(stderr).toMatch(/set (DATABASE_URL|REDIS_URL).* as well, or neither/);
  });

  it.for(["REDIS_URL", "DATABASE_URL"] as const)("are not meant by the running stack's own %s", async (name) => {
    const game = await newGame();
    const { code, stderr } = await runTool("doctor", { DATA_DIR: world.dataDir, [name]: here[name] }, "--game", game);
    expect(code, stderr).toBe(0);
  });

  it("are not started together", async () => {
    await expect(requireOwnRedis(here.REDIS_URL, there.DATABASE_URL)).rejects.toThrow(
      /holds the boards of another deployment than Postgres at 127\.0\.0\.1:\d+\/another/,
    );
  });
});

describe("a Redis that belongs to nobody", () => {
  it("because it was flushed is mended, and belongs to its Postgres again", async () => {
    const game = await newGame();
    const mark = await world.redis.get(DEPLOYMENT_KEY);
    await world.redis.flushdb();
    const { code, stdout, stderr } = await runTool("doctor", here, "--game", game, "--repair");
    expect(code, stdout + stderr).toBe(0);
    await expectBoardsEqualPostgres(world, game);
    expect(await world.redis.get(DEPLOYMENT_KEY)).toBe(mark);
  });

  it.for(["", "not an id"])(
    "because its mark is %j is marked by the next writer, and not by readers",
    async (value) => {
      const mark = await world.redis.get(DEPLOYMENT_KEY);
      const game = await newGame();
      await world.redis.set(DEPLOYMENT_KEY, value);
      expect(await runTool("doctor", here, "--game", game)).toMatchObject({ code: 0 });
      expect(await world.redis.get(DEPLOYMENT_KEY)).toBe(value);
      expect(await runTool("rebuild", here, "--game", game)).toMatchObject({ code: 0 });
      expect(await world.redis.get(DEPLOYMENT_KEY)).toBe(mark);
    },
  );

  it("because it was flushed is marked by the next tick", async () => {
    const mark = await world.redis.get(DEPLOYMENT_KEY);
    await world.redis.flushdb();
    await world.tick();
    expect(await world.redis.get(DEPLOYMENT_KEY)).toBe(mark);
  });
});

it("a Redis of another deployment is taken over by --adopt, deliberately", async () => {
  const game = await newGame();
  const mark = await world.redis.get(DEPLOYMENT_KEY);
  await world.redis.set(DEPLOYMENT_KEY, "6f9619ff-8b86-4d01-b42d-00cf4fc964ff");
  expect(await runTool("doctor", here, "--game", game, "--repair")).toMatchObject({ code: 2 });
  await world.redis.zrem(weekKey(game, weekOf(Date.now())), "ann");
  const { code, stdout } = await runTool("doctor", here, "--game", game, "--adopt", "--repair");
  expect(code, stdout).toBe(0);
  expect(await world.redis.get(DEPLOYMENT_KEY)).toBe(mark);
  await expectBoardsEqualPostgres(world, game);
});
