import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { banPlayer, decideSubmission, moderatePlayer } from "../../functions/services/moderation/moderation.ts";
import { ScoreResponse } from "../../functions/contract/scores.ts";
import type { Deps } from "../../functions/deps-type.ts";
import { heldBoards, wantedBoards } from "../harness/period-boards.ts";
import { until } from "../harness/until.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const TICK_MS = 60_000;
const DEFINITIONS = {
  laps: { statistic: "lapMs", order: "asc", segments: ["country", "platform"], schedule: { kind: "day" } },
  rating: { statistic: "rating", aggregation: "last", segments: ["platform"] },
  coins: { statistic: "coins", aggregation: "sum" },
  fame: { statistic: "fame", aggregation: "sum", value: { min: -1_000, max: 1_000 }, segments: ["platform"] },
  wins: { statistic: "wins", aggregation: "count" },
  song: { statistic: "notes", keyed: true },
  power: { statistic: "power", tie: "id", value: { max: 9_007_199_254_740_991 } },
  run: {
    parts: [
      { statistic: "stars", bits: 8 },
      { statistic: "lapMs", order: "asc", bits: 25 },
    ],
  },
};

async function definedGame(): Promise<string> {
  const game = await world.game();
  for (const [board, definition] of Object.entries(DEFINITIONS))
    await world.api("PUT", `/v1/games/${game}/boards/${board}`, definition);
  return game;
}

/** One submission that counts on every board. */
const playOf = (player: string, n: number, platform = n % 2 === 0 ? "ios" : "android") => ({
  player,
  values: {
    lapMs: 80_000 + ((n * 7919) % 5_000),
    rating: (n * 31) % 4_000,
    coins: n % 7,
    fame: ((n * 13) % 41) - 20,
    wins: 1,
    notes: n,
    power: n * 1e12,
    stars: n % 5,
  },
  keys: { song: `track-${n % 3}` },
  segments: { platform },
  country: n % 3 === 0 ? "DE" : "FR",
});

async function play(game: string, players: readonly string[], rounds = 2): Promise<string[]> {
  const submissions = Array.from({ length: rounds }, (_, round) =>
    players.map((player, i) => playOf(player, i * 3 + round * 11)),
  )
    .flat()
    .map((one) => ({ ...one, idempotencyKey: randomUUID() }));
  const answer = await world.api("POST", `/v1/games/${game}/scores/batch`, { submissions });
  return JSON.stringify(answer).match(/(?<="submissionId":")[^"]+/g) ?? [];
}

const players = (n: number) => Array.from({ length: n }, (_, i) => `player-${String(i).padStart(3, "0")}`);

/** What is tried again after a while, is tried at once. */
const impatient = (deps: Deps): Deps => ({ ...deps, sleep: () => Promise.resolve() });
const moderate = (work: (deps: Deps) => Promise<unknown>) => world.run((deps) => work(impatient(deps)));

/** Redis holds every entry of every board and part as Postgres says, and no other. */
async function expectSame(game: string): Promise<void> {
  const wanted = await wantedBoards(world.postgres, game, Date.now());
  expect(Object.keys(wanted.boards).length).toBeGreaterThan(8);
  expect(await heldBoards(world.redis, game)).toEqual(wanted);
}

async function playedGame(): Promise<string> {
  const game = await definedGame();
  await play(game, players(12));
  await world.tick();
  return game;
}

describe("Redis holds boards that a game defined as Postgres does", () => {
  it("after submissions, one by one and in batches, and players who move to another part", async () => {
    const game = await playedGame();
    await expectSame(game);
    await play(game, players(20), 3);
    for (const [i, player] of players(4).entries())
      await world.api("POST", `/v1/games/${game}/scores`, playOf(player, i, "web"));
    await expectSame(game);
    await world.tick();
    await expectSame(game);
  });

  it("after Redis lost everything", async () => {
    const game = await playedGame();
    await world.lose();
    await play(game, players(15), 1);
    await world.tick();
    await expectSame(game);
  });

  it("after an outage in which players submitted", async () => {
    const game = await playedGame();
    await world.upstash.faults([{ action: "status" }]);
    const playing = play(game, players(25), 2);
    const isStored = async () => {
      const { rows } = await world.postgres.query("select from bests where game = $1 and board = 'wins.all'", [game]);
      return rows.length === 25;
    };
    await until("all have their entries in Postgres", isStored);
    await world.upstash.faults([]);
    await playing;
    await expectSame(game);
    await expectSame(game);
  });

  it("and answers a submission with values alone 202 without places when Redis does not take it, and ranks it later", async () => {
    const game = await playedGame();
    await world.upstash.faults([{ match: "lb_submit_v3", action: "status", times: 1 }]);
    const { status, body } = await world.ask("POST", `/v1/games/${game}/scores`, playOf("a-late-one", 1));
    expect(status).toBe(202);
    const { ranked, boards = [] } = ScoreResponse.parse(body);
    expect([ranked, ...boards.map(({ rank }) => rank)]).toEqual([false, ...boards.map(() => null)]);
    await expectSame(game);
  });

  it.each(["laps", "rating", "fame", "song~track-2", "power"])("after the board %s was lost", async (board) => {
    const game = await playedGame();
    const keys = await world.redis.keys(`lb:{${game}}:board:${board}.*`);
    expect(keys.length).toBeGreaterThan(0);
    await world.redis.del(...keys);
    await play(game, ["a-late-one"], 1);
    await world.tick(TICK_MS);
    await world.tick(2 * TICK_MS);
    await expectSame(game);
  });

  it("after bans, an unban and a removed submission", async () => {
    const game = await playedGame();
    const [first, second, third] = players(3);
    const [submission] = await play(game, [third ?? ""], 1);
    await moderate((deps) => banPlayer(deps, game, first ?? "", "test"));
    await moderate((deps) => banPlayer(deps, game, second ?? "", "test"));
    await moderate((deps) => decideSubmission(deps, "removed", game, submission ?? "", "test"));
    await expectSame(game);
    await moderate((deps) => moderatePlayer(deps, "unban", game, second ?? "", "test"));
    await expectSame(game);
  });

  it("after a wave of bans while Redis was out", async () => {
    const game = await definedGame();
    await play(game, players(150), 1);
    await world.tick();
    await world.upstash.faults([{ action: "status" }]);
    for (const player of players(120))
      await moderate((deps) => banPlayer(deps, game, player, "test")).catch(() => undefined);
    await world.upstash.faults([]);
    await world.tick();
    await world.tick(TICK_MS);
    await expectSame(game);
  });

  it("without those of a board that was deleted", async () => {
    const game = await playedGame();
    for (const board of ["coins", "fame"]) {
      expect(await world.redis.keys(`lb:{${game}}:*:${board}.*`)).not.toEqual([]);
      await world.api("DELETE", `/v1/games/${game}/boards/${board}?now=true`);
      expect(await world.redis.keys(`lb:{${game}}:*:${board}.*`)).toEqual([]);
    }
    await world.lose();
    await play(game, players(3), 1);
    await world.tick();
    await expectSame(game);
  });
});
