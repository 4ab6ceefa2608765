import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BatchResponse, ScoreResponse } from "../../functions/contract/scores.ts";
import { startOf, weekOf } from "../../functions/domain/board/week.ts";
import { pushTop } from "../../functions/services/live/push-top.ts";
import { startWorld, type World } from "./world.ts";
import { weekKey } from "../harness/board-keys.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const DAY_MS = 86_400_000;
const PLAYERS = 110;
/** Redis forgot it some weeks ago. */
const WEEK = weekOf(Date.now() - 70 * DAY_MS);
const playerOf = (n: number) => `p${String(n).padStart(3, "0")}`;

/** A game of which PLAYERS played in a week that is long over: p001 is first, and every second one is from Denmark. */
async function gameOfOldWeek(): Promise<string> {
  const game = await world.game();
  await world.postgres.query(
    `with p as (
        select 'p' || lpad(i::text, 3, '0') as player, uuidv7() as id, $3::timestamptz as at, 1000 - i as points,
          case when i % 2 = 0 then 'DK' end as country from generate_series(1, $2::int) i),
      s as (
        insert into submissions (id, game, player, idempotency_key, request, points, country, week, submitted_at, received_at)
        select id, $1, player, 'old-' || player, format('[%s,null,null]', points), points, country, $4, at, at from p),
      b as (
        insert into bests (game, board, player, points, achieved_at, submission_id, country)
        select $1, $4, player, points, at, id, country from p
        union all select $1, 'all-time', player, points, at, id, null from p)
      insert into players (game, player) select $1, player from p`,
    [game, PLAYERS, new Date(startOf(WEEK)).toISOString(), WEEK],
  );
  return game;
}

const retry = (game: string, n: number) =>
  world.ask(
    "POST",
    `/v1/games/${game}/scores`,
    { player: playerOf(n), points: 1000 - n },
    { headers: { "idempotency-key": `old-${playerOf(n)}` } },
  );

async function expectNothingOfThatWeek(game: string): Promise<void> {
  expect(await world.redis.keys(`${weekKey(game, WEEK)}*`)).toEqual([]);
  expect(world.room.pushedTo.filter((room) => room.startsWith(`${game}_${WEEK}`))).toEqual([]);
}

describe("a retry with the key of a week that Redis keeps no longer", () => {
  it("is answered with the places that Postgres has, and nothing is written or pushed for that week", async () => {
    const game = await gameOfOldWeek();
    const { status, body } = await retry(game, 98);
    expect(status).toBe(200);
    expect(ScoreResponse.parse(body)).toMatchObject({
      week: WEEK,
      replayed: true,
      ranked: true,
      best: 902,
      rank: 98,
      boardSize: PLAYERS,
      countryRank: 49,
      allTime: { best: 902, rank: 98 },
    });
    await expectNothingOfThatWeek(game);
  });

  it("is so while Redis is out of reach, and nothing comes later", async () => {
    const game = await gameOfOldWeek();
    await world.upstash.faults([{ match: game, action: "drop-before", times: 2 }]);
    expect(await retry(game, 3)).toMatchObject({ status: 200, body: { rank: 3, boardSize: PLAYERS } });
    await world.upstash.faults([]);
    await expectNothingOfThatWeek(game);
  });

  it("is so in a batch, whose other items are ranked", async () => {
    const game = await gameOfOldWeek();
    const old = [97, 96, 95].map((n) => ({
      player: playerOf(n),
      points: 1000 - n,
      idempotencyKey: `old-${playerOf(n)}`,
    }));
    const answer = await world.api("POST", `/v1/games/${game}/scores/batch`, {
      submissions: [...old, { player: "new", points: 5, idempotencyKey: "new" }],
    });
    expect(BatchResponse.parse(answer).results).toMatchObject([
      { ranked: true, rank: 97, boardSize: PLAYERS, allTime: { rank: 97 } },
      { ranked: true, rank: 96, boardSize: PLAYERS, allTime: { rank: 96 } },
      { ranked: true, rank: 95, boardSize: PLAYERS, allTime: { rank: 95 } },
      { ranked: true, rank: 1, boardSize: 1, replayed: false },
    ]);
    await expectNothingOfThatWeek(game);
  });

  it("has no places in a batch of more of them than are worth a look each", async () => {
    const game = await gameOfOldWeek();
    const submissions = Array.from({ length: PLAYERS }, (_, i) => ({
      player: playerOf(i + 1),
      points: 999 - i,
      idempotencyKey: `old-${playerOf(i + 1)}`,
    }));
    const answer = await world.api("POST", `/v1/games/${game}/scores/batch`, { submissions });
    const none = { ranked: false, rank: null, boardSize: null, countryRank: null, allTime: { rank: null } };
    for (const result of BatchResponse.parse(answer).results) expect(result).toMatchObject({ ...none, replayed: true });
    await expectNothingOfThatWeek(game);
  });
});

describe("for a week that Redis keeps no longer", () => {
  it("nothing is filled by a tick that looks at its submissions again, and nothing is pushed", async () => {
    const game = await gameOfOldWeek();
    await retry(game, 1);
    await world.tick();
    await world.run((deps) => pushTop(deps, game, WEEK));
    await expectNothingOfThatWeek(game);
  });

  it("a rebuild and a ban write nothing either", async () => {
    const game = await gameOfOldWeek();
    await world.redis.flushall();
    await world.tick();
    await world.api("PUT", `/v1/games/${game}/players/${playerOf(1)}/ban`);
    await world.tick();
    await expectNothingOfThatWeek(game);
    expect(await retry(game, 2)).toMatchObject({ status: 200, body: { rank: 1, boardSize: PLAYERS - 1 } });
  });
});
