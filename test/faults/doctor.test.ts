import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { activityKey, BADGE_GROUP } from "../../functions/adapters/redis/keys.ts";
import { weekOf } from "../../functions/domain/board/week.ts";
import { CHECKS, type Problem } from "../../tools/doctor/problem.ts";
import { visit } from "../../tools/doctor/run.ts";
import { librarySource } from "../../lua/loader.ts";
import { LIBRARY, openStores, type Stores } from "../../tools/doctor/stores.ts";
import { until } from "../harness/until.ts";
import { expectBoardsEqualPostgres } from "./boards.ts";
import { runTool } from "./run-tool.ts";
import { seedPlayers } from "./seed.ts";
import { LONG, startWorld, type World } from "./world.ts";
import { allTimeKey, countryKey, weekKey } from "../harness/board-keys.ts";

/** How fast is the benchmark's business (`npm run bench -- --only rebuild`). */
const PLAYERS = LONG ? 1_000_000 : 20_000;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});

const report = z.object({
  ok: z.boolean(),
  found: z.array(z.object({ check: z.enum(CHECKS), game: z.string().nullable(), board: z.string().nullable() })),
});

/** The stack's addresses only, whatever the machine has in its environment. */
const run = (tool: "doctor" | "rebuild", ...args: string[]) => runTool(tool, { DATA_DIR: world.dataDir }, ...args);

let stores: Stores;
beforeAll(async () => {
  stores = await openStores({}, world.dataDir);
});
afterAll(() => stores.close());

/** The doctor without the cost of a process: which checks found something, and which still do. */
async function doctor(game: string, options: { repair?: boolean; full?: boolean } = {}) {
  const { found, left } = await visit(stores, { game, repair: false, full: false, ...options }, () => undefined);
  const checks = (problems: readonly Problem[]) => [...new Set(problems.map(({ check }) => check))];
  return { found: checks(found), left: checks(left) };
}

async function newGame(): Promise<string> {
  const game = await world.newGame();
  for (const [player, points] of Object.entries({ ann: 900, bob: 500, cid: 400, dan: 300 })) {
    await world.postUntilAccepted(game, { player, points, country: "DE" });
  }
  return game;
}

const week = () => weekOf(Date.now());
const board = (game: string) => weekKey(game, week());

/** What goes wrong, and by which check the doctor has to find it. */
const faults: { what: string; check: (typeof CHECKS)[number]; break: (game: string) => Promise<unknown> }[] = [
  { what: "a wrong score", check: "entries", break: (game) => world.redis.zadd(board(game), 2 ** 50, "bob") },
  { what: "a score that is too low", check: "entries", break: (game) => world.redis.zadd(board(game), 2 ** 21, "ann") },
  { what: "a missing player", check: "entries", break: (game) => world.redis.zrem(board(game), "cid") },
  { what: "an extra player", check: "entries", break: (game) => world.redis.zadd(board(game), 2 ** 49, "nobody") },
  {
    what: "a player on two country boards",
    check: "entries",
    break: (game) => world.redis.zadd(countryKey(game, week(), "FR"), 2 ** 40, "ann"),
  },
  {
    what: "a wrong all-time score",
    check: "entries",
    break: (game) => world.redis.zadd(allTimeKey(game), 5, "dan"),
  },
  {
    what: "a board that Postgres counted wrong",
    check: "size",
    break: (game) =>
      world.postgres.query("update board_sizes set players = players + 1 where game = $1 and board = $2", [
        game,
        week(),
      ]),
  },
  {
    what: "a finished week that was not counted",
    check: "size",
    async break(game) {
      await world.postgres.query(
        `insert into bests (game, board, player, points, achieved_at, submission_id)
          values ($1, '2025-W20', 'ann', 5, '2025-05-14T00:00:00Z', uuidv7())`,
        [game],
      );
      await world.postgres.query("delete from board_sizes where game = $1 and board = '2025-W20'", [game]);
    },
  },
  { what: "a lost expiry", check: "expiry", break: (game) => world.redis.persist(board(game)) },
  {
    what: "a lost group",
    check: "group",
    break: (game) => world.redis.xgroup("DESTROY", activityKey(game), BADGE_GROUP),
  },
  { what: "a lost game", check: "missing", break: (game) => world.redis.del(activityKey(game)) },
  {
    what: "a stuck pending entry",
    check: "pending",
    async break(game) {
      const [id = ""] = (await world.redis.xrange(activityKey(game), "-", "+", "COUNT", 1)).map(([one]) => one);
      await world.redis.xreadgroup("GROUP", BADGE_GROUP, "dead", "COUNT", 1, "STREAMS", activityKey(game), ">");
      await world.redis.call("XCLAIM", activityKey(game), BADGE_GROUP, "dead", 0, id, "IDLE", 600_000);
    },
  },
];

/** All games share the library, so this one goes wrong alone. */
const libraryFaults: typeof faults = [
  {
    what: "an old function library",
    check: "library",
    break: () =>
      world.redis.call(
        "FUNCTION",
        "LOAD",
        "REPLACE",
        librarySource(LIBRARY, "redis").replace(/^local RELEASE = \d+$/m, "local RELEASE = 0"),
      ),
  },
];

async function expectFoundAndMended(fault: (typeof faults)[number]): Promise<void> {
  const game = await newGame();
  expect(await doctor(game)).toEqual({ found: [], left: [] });
  await fault.break(game);
  expect((await doctor(game)).left).toContain(fault.check);
  expect((await doctor(game, { repair: true })).left).toEqual([]);
  expect(await doctor(game, { full: true })).toEqual({ found: [], left: [] });
  await expectBoardsEqualPostgres(world, game);
}

describe("npm run doctor", () => {
  // Together: the doctor looks twice with seconds in between, and each has a game of its own.
  it.concurrent.for(faults)("finds $what, mends it with --repair, and is content then", expectFoundAndMended);

  it.for(libraryFaults)("finds $what, mends it with --repair, and is content then", expectFoundAndMended);

  it("says so by its exit code, as sentences and as JSON", async () => {
    const game = await newGame();
    expect(await run("doctor", "--game", game)).toMatchObject({ code: 0 });
    await world.redis.zrem(board(game), "cid");
    const json = await run("doctor", "--game", game, "--json");
    expect(json.code).toBe(1);
    const { ok, found } = report.parse(JSON.parse(json.stdout));
    expect(ok).toBe(false);
    expect(found).toContainEqual({ check: "entries", game, board: week() });
    const mended = await run("doctor", "--game", game, "--repair");
    expect(mended.code).toBe(0);
    expect(mended.stdout).toContain('missing "cid"');
    expect(mended.stdout).toContain("all is well");
  });

  it("cannot look at a game that does not exist: exit code 2", async () => {
    expect(await run("doctor", "--game", "no-such-game")).toMatchObject({ code: 2 });
  });
});

describe("npm run rebuild", () => {
  it(`loads ${PLAYERS} players into an empty Redis`, async () => {
    const game = await world.newGame({ badges: [] });
    await seedPlayers(world, game, PLAYERS);
    await world.redis.flushall();
    const { code, stdout } = await run("rebuild", "--game", game);
    expect(code, stdout).toBe(0);
    expect(await world.redis.zcard(board(game))).toBe(PLAYERS);
    if (!LONG) await expectBoardsEqualPostgres(world, game);
  }, 900_000);

  it("mends wrong and extra entries of a game that goes on serving", async () => {
    const game = await newGame();
    await world.redis.zadd(board(game), 2 ** 50, "bob", 2 ** 49, "nobody");
    await world.redis.zrem(board(game), "cid");
    const { code, stdout } = await run("rebuild", "--game", game, "--board", week());
    expect(code, stdout).toBe(0);
    await until("it is mended", async () => (await world.redis.zcard(board(game))) === 4);
    await expectBoardsEqualPostgres(world, game);
  });
});
