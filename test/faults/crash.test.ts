import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { ACTIVE_KEY } from "../../functions/adapters/redis/keys.ts";
import { until } from "../harness/until.ts";
import { expectBoardsEqualPostgres, expectNoDoubledEvents, feedOf, submissionsOf } from "./boards.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});

/** As if the last submissions were a minute ago. */
async function ageMarks(): Promise<void> {
  const games = await world.redis.zrange(ACTIVE_KEY, "0", "-1");
  for (const game of games.filter((name) => !name.startsWith("#"))) {
    await world.redis.zadd(ACTIVE_KEY, "XX", Date.now() - 60_000, game);
  }
}

describe("a Worker that dies between Postgres and Redis", () => {
  it("with the call to Redis on its way: healed by two ticks, without a retry and without another submission", async () => {
    const game = await world.newGame();
    await world.postUntilAccepted(game, { player: "before", points: 5, country: "DE" });
    const player = randomUUID();
    await world.fault("upstash", [{ match: player, action: "delay", delayMs: 60_000 }]);
    const lost = world.post(game, { player, points: 700, country: "FR" }, "lost").catch(() => undefined);
    await until("Postgres has it", async () => (await submissionsOf(world, game)).length === 2);
    await world.kill("worker");
    await lost;
    await world.fault("upstash", []);

    await world.tick();
    await world.tick();
    const rows = await expectBoardsEqualPostgres(world, game);
    const added = async () => (await world.tick(), (await feedOf(world, game)).length === 2);
    await until("the feed has the event", added);
    expect(new Set(await feedOf(world, game))).toEqual(new Set(rows.map(({ id }) => id)));

    const retried = await world.post(game, { player, points: 700, country: "FR" }, "lost");
    expect(retried).toMatchObject({ status: 200, body: { replayed: true, rank: 1, boardSize: 2, countryRank: 1 } });
    await expectNoDoubledEvents(world, game);
  });

  it("after a move to another country: the entry in the country that was left goes too", async () => {
    const game = await world.newGame();
    const player = randomUUID();
    await world.postUntilAccepted(game, { player, points: 700, country: "DE" });
    await world.fault("upstash", [{ match: player, action: "drop-before" }]);
    const moved = await world.post(game, { player, points: 1, country: "FR" }, randomUUID());
    expect(moved.status).toBe(202);
    await world.kill("worker");
    await world.fault("upstash", []);
    await world.tick();
    await world.tick();
    await expectBoardsEqualPostgres(world, game);
  });
});

describe("an idle deployment", () => {
  it("sends Postgres no statement in ten ticks, and wakes up with the next submission", async () => {
    const game = await world.newGame();
    await world.postUntilAccepted(game, { player: "ann", points: 5 });
    await until(
      "everything is verified and idle",
      async () => {
        await ageMarks();
        await world.tick();
        return (await world.redis.zrange(ACTIVE_KEY, "0", "-1")).every((name) => name.startsWith("#"));
      },
      40_000,
    );
    const before = await world.stats("neon");
    for (let n = 0; n < 10; n += 1) await world.tick();
    expect(await world.stats("neon")).toEqual(before);

    // An isolate remembers its marks for longer than this test has let pass.
    await world.kill("worker");
    await world.fault("upstash", [{ match: '"lb_submit_v2"', action: "drop-before" }]);
    expect((await world.post(game, { player: "bob", points: 9 }, "bob")).status).toBe(202);
    await world.kill("worker");
    await world.fault("upstash", []);
    await world.tick();
    await expectBoardsEqualPostgres(world, game);
  });
});
