import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { activityKey } from "../../functions/adapters/redis/keys.ts";
import { currentBoard } from "../../functions/domain/board/time.ts";
import { inspectGame } from "../../functions/services/healing/inspect.ts";
import { play } from "./damage.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const A_MINUTE_MS = 60_000;
const PLAYERS = 30;
const playerOf = (n: number) => `p${String(n).padStart(2, "0")}`;
const players = (n: number) => Array.from({ length: n }, (_, i) => playerOf(i));

/** A game whose players are all from Germany. */
async function german(): Promise<string> {
  const game = await world.game();
  await play(
    world,
    game,
    players(PLAYERS).map((player, i) => ({ player, points: 1_000 + i, country: "DE" })),
  );
  return game;
}

const SUBMISSION = {
  at: undefined,
  request: "[]",
  values: undefined,
  keys: undefined,
  segments: undefined,
  metadata: undefined,
  brought: [],
};

/** Players move to France: Postgres has it, and Redis does not yet. */
async function moveWithoutRedis(game: string, moving: readonly string[]): Promise<void> {
  const submissions = moving.map((player) => {
    return { ...SUBMISSION, player, points: 1, country: "FR", idempotencyKey: randomUUID() };
  });
  const origin = { caller: "server-key", signingKey: undefined, strict: false } as const;
  const recording = await world.run((deps) => deps.submissions.record(game, submissions, origin, undefined));
  if (recording?.kind !== "recorded") throw new Error("nothing was recorded");
  expect(recording.outcomes.map(({ outcome }) => outcome)).toEqual(moving.map(() => "recorded"));
}

describe("while players' moves to another country are on their way to Redis", () => {
  it.each([1, 7])("the board that %i left is not taken for an old copy", async (n) => {
    const game = await german();
    await moveWithoutRedis(game, players(n));
    const subject = { boards: [currentBoard(Date.now())], defined: [], countries: ["DE", "FR"], upkeep: false };
    const { verdict } = await world.run((deps) => inspectGame(deps, game, subject));
    expect(verdict).not.toBe("lost");
  });

  it.each(["one submission", "a batch"])("%s from the country that they left is ranked", async (what) => {
    const game = await german();
    await moveWithoutRedis(game, players(7));
    const scores = (what === "a batch" ? ["ann", "ben"] : ["ann"]).map((player, i) => {
      return { player, points: 5_000 - i, country: "DE", idempotencyKey: randomUUID() };
    });
    // A minute later, so that the service looks for damage.
    const options = { laterMs: A_MINUTE_MS };
    const { body } = await world.ask("POST", `/v1/games/${game}/scores/batch`, { submissions: scores }, options);
    expect(body).toMatchObject({ results: scores.map((_, i) => ({ ranked: true, rank: i + 1 })) });
    expect(await world.redis.exists(activityKey(game))).toBe(1);
  });
});
