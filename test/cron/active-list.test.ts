import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { markBusy } from "../../functions/services/games/active-games.ts";
import { passMinute } from "./history.ts";
import { busyGames, costOfTick, quietGames } from "./quiet-games.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const LATER_MS = 60_000;
const ACTIVE = "lb:active";

/** Ticks until every game is idle; marks look a minute old each time. */
async function calm(): Promise<void> {
  for (let minute = 1; (await busyGames(world)).length > 0; minute++) {
    expect(minute).toBeLessThan(6);
    await world.tick(LATER_MS * minute);
  }
}

// One list for all of them, and a clock that only goes on: in this order.
describe("games", { shuffle: false }, () => {
  it("are idle again later, and ten ticks then send no statement", async () => {
    await quietGames(world, 3);
    await world.tick();
    await calm();
    for (let i = 0; i < 10; i++) {
      const { redis, postgres } = await costOfTick(world);
      expect(redis.operations).toBeLessThanOrEqual(2);
      expect(postgres.operations).toBe(0);
    }
  });

  it("all get looked at when Redis lost the list, and one that wakes up then is drained in the next tick", async () => {
    const games = await quietGames(world, 8);
    const game = await world.game();
    await world.tick();
    await calm();
    await world.redis.del(ACTIVE);
    // The mark of an isolate that wrote it before the loss: it will not write it again for a while.
    await world.submit(game, { player: "ann", points: 1_000 });
    await world.redis.del(ACTIVE);
    await world.tick();
    expect(await world.badges(game)).toEqual(["ann bronze"]);
    expect(await busyGames(world)).toEqual(expect.arrayContaining(games));
    await passMinute(world, game);
    await calm();
  });

  it("are not forgotten when Redis is lost between the reading of the list and the end of the tick", async () => {
    await world.game();
    await world.tick();
    await world.run(async (deps) => {
      await deps.active.read();
      await world.redis.del(ACTIVE);
      await deps.active.seen();
    });
    expect(await world.redis.exists(ACTIVE)).toBe(0);
  });

  it("that got behind while ticks were missed are found in Postgres", async () => {
    const game = await world.game();
    await world.tick();
    await calm();
    await world.submit(game, { player: "ann", points: 1_000 });
    await world.redis.zrem(ACTIVE, game);
    await world.tick();
    expect(await world.badges(game)).toEqual([]);
    await world.tick(10 * LATER_MS);
    expect(await world.badges(game)).toEqual(["ann bronze"]);
  });

  it("leave the list only if no submission can be on its way", async () => {
    const game = await world.game();
    await world.tick(25_000);
    expect(await busyGames(world)).toContain(game);
    await world.tick(31_000);
    expect(await busyGames(world)).not.toContain(game);
  });

  it("are marked after the response when Redis did not take the mark before it", async () => {
    const game = await world.game();
    await world.redis.zrem(ACTIVE, game);
    const mark = () =>
      world.run(
        (deps) => markBusy(deps, game),
        () => Date.now() + LATER_MS,
      );
    await world.upstash.faults([{ match: ACTIVE, action: "status", times: 2 }]);
    await Promise.all([mark(), mark()]);
    expect(await busyGames(world)).toContain(game);
  });
});
