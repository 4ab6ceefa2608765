/** Keys that something else wrote over: named, mended, and no reason to leave out the games after them. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  activityKey,
  boardKey,
  countedKey,
  leaseKey,
  moderatedKey,
  playersKey,
  rebuildKey,
  rebuildStateKey,
} from "../../functions/adapters/redis/keys.ts";
import { weekOf } from "../../functions/domain/board/week.ts";
import { ALL_TIME } from "../../functions/domain/board/board.ts";
import { until } from "../harness/until.ts";
import { expectBoardsEqualPostgres } from "./boards.ts";
import { runTool } from "./run-tool.ts";
import { startWorld, type World } from "./world.ts";
import { countryKey, weekKey } from "../harness/board-keys.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});

const week = () => weekOf(Date.now());

/** Every key that a game has. */
const KEYS: Readonly<Record<string, (game: string) => string>> = {
  activity: activityKey,
  "board of the week": (game) => weekKey(game, week()),
  "board of a country": (game) => countryKey(game, week(), "DE"),
  "board of a country without players": (game) => countryKey(game, week(), "FR"),
  "board of all time": (game) => boardKey(game, ALL_TIME),
  "time of the last moderation": moderatedKey,
  "distinct players": (game) => playersKey(game, week()),
  "how far they are counted": (game) => countedKey(game, week()),
  "push lease": (game) => leaseKey(game, week()),
  "rebuild lease": rebuildKey,
  "rebuild position": rebuildStateKey,
};

type Damage = { readonly what: string; readonly key: string; readonly spoil: (game: string) => Promise<unknown> };

const wrongTypes = Object.entries(KEYS).map(([key, keyOf]): Damage => ({
  what: `the ${key} is a list`,
  key,
  async spoil(game) {
    await world.redis.del(keyOf(game));
    await world.redis.rpush(keyOf(game), "not ours");
  },
}));

const text = (key: string, value: string): Damage => ({
  what: `the ${key} is ${JSON.stringify(value)}`,
  key,
  spoil: (game) => world.redis.set(KEYS[key]?.(game) ?? "", value),
});

/** A rebuild under way, with a position that no release wrote. */
const position = (value: string): Damage => ({
  what: `the rebuild's position is ${JSON.stringify(value)}`,
  key: "rebuild position",
  async spoil(game) {
    await world.redis.del(activityKey(game));
    await world.redis.hset(rebuildStateKey(game), { run: "somebody", position: value });
    await world.redis.expire(rebuildStateKey(game), 86_400);
  },
});

const damages: readonly Damage[] = [
  ...wrongTypes,
  text("time of the last moderation", "soon"),
  text("time of the last moderation", "-1"),
  text("distinct players", "not counted"),
  text("how far they are counted", "the end"),
  position("not json"),
  position("{}"),
  position('["2026-W42",1,2,3]'),
  {
    what: "an entry of the feed is no event",
    key: "activity",
    spoil: (game) => world.redis.xadd(activityKey(game), "*", "hello", "world"),
  },
  {
    what: "an event has no time",
    key: "activity",
    spoil: (game) =>
      world.redis.xadd(
        activityKey(game),
        "*",
        ..."submission x player p points 1 best 1 rank 1 week w at never".split(" "),
      ),
  },
];

async function newGame(): Promise<string> {
  const game = await world.newGame();
  for (const [player, points] of Object.entries({ ann: 900, bob: 500, cid: 400 }))
    await world.postUntilAccepted(game, { player, points, country: "DE" });
  // A push that is under way takes its lease back, whatever it has become.
  await until("the top 10 was pushed", async () => (await world.redis.exists(leaseKey(game, week()))) === 0);
  return game;
}

/** A game for each damage, and one more that comes last and lacks a player. */
async function damagedGames(damages: readonly Damage[]): Promise<{ damaged: Map<string, Damage>; last: string }> {
  const games = await Promise.all(Array.from({ length: damages.length + 1 }, newGame));
  games.sort();
  const last = games.pop() ?? "";
  await world.redis.zrem(weekKey(last, week()), "cid");
  const damaged = new Map(damages.map((damage, i) => [games[i] ?? "", damage]));
  for (const [game, { spoil }] of damaged) await spoil(game);
  return { damaged, last };
}

async function expectWhole(games: Iterable<string>): Promise<void> {
  for (const game of games) {
    await expectBoardsEqualPostgres(world, game);
    const { body } = await world.postUntilAccepted(game, { player: "dan", points: 950, country: "DE" });
    expect(body).toMatchObject({ ranked: true, rank: 1 });
  }
}

describe("damaged keys of many games", () => {
  // First, while there are few games to look at.
  it("that no tool can mend are a problem that stays, and the games after them are looked at all the same", async () => {
    const games = [await newGame(), await newGame()].sort();
    const [broken = "", other = ""] = games;
    await world.postgres.query("update bests set achieved_at = 'infinity' where game = $1 and player = 'bob'", [
      broken,
    ]);
    const { code, stdout } = await runTool("doctor", { DATA_DIR: world.dataDir }, "--repair");
    expect(code).toBe(1);
    expect(stdout).toContain(`${broken}: look: ${week()} could not be looked at: `);
    expect(stdout).toContain(`${other}: all is well`);
    await world.postgres.query("delete from bests where game = $1", [broken]);
  });

  it("are named by the doctor, who looks at every other game as well, and are mended with --repair", async () => {
    const { damaged, last } = await damagedGames(damages);
    const at = { DATA_DIR: world.dataDir };
    const seen = await runTool("doctor", at);
    expect(seen.code, seen.stdout + seen.stderr).toBe(1);
    for (const [game, { what, key }] of damaged) {
      const line = seen.stdout.split("\n").find((one) => one.startsWith(`${game}: key: `));
      expect(line, what).toContain(KEYS[key]?.(game));
    }
    expect(seen.stdout).toContain(`${last} ${week()}: entries: 1 differ from Postgres: missing "cid"`);

    const mended = await runTool("doctor", at, "--repair");
    expect(mended.code, mended.stdout + mended.stderr).toBe(0);
    await expectWhole([...damaged.keys(), last]);
  });

  it("are mended by a rebuild of all games", async () => {
    const [activity, board, country] = wrongTypes;
    const some = [activity, board, country, text("time of the last moderation", "soon"), position("not json")];
    const { damaged, last } = await damagedGames(some.filter((damage) => damage !== undefined));
    const { code, stdout, stderr } = await runTool("rebuild", { DATA_DIR: world.dataDir });
    expect(code, stdout + stderr).toBe(0);
    for (const [game, { key }] of damaged) expect(stdout).toContain(`${game}: ${KEYS[key]?.(game)}`);
    await expectWhole([...damaged.keys(), last]);
  });

  it.for([position("not json"), position("[]"), position('["2026-W42",{}]')])(
    "do not keep the service from rebuilding a game: $what",
    async ({ spoil }) => {
      const game = await newGame();
      await spoil(game);
      await world.tick();
      await expectWhole([game]);
    },
  );

  it("of all games together are named and mended: the list of busy games", async () => {
    await world.redis.set("lb:active", "not a list");
    const game = await newGame();
    const { code, stdout } = await runTool("doctor", { DATA_DIR: world.dataDir }, "--game", game, "--repair");
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("all games: key: lb:active is a string, not a zset");
  });
});
