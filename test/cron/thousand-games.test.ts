import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { busyGames, costOfTick, quietGames } from "./quiet-games.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

describe("a thousand games", () => {
  it("of which three are active cost commands for those three", async () => {
    await world.tick();
    const [a = "", b = "", c = ""] = await quietGames(world, 1_000);
    const idle = await costOfTick(world);
    expect(idle.redis.operations).toBe(2);
    expect(idle.postgres.operations).toBe(0);

    await world.submit(a, { player: "ann", points: 1_000 });
    await world.submit(b, { player: "bob", points: 999 });
    await world.submit(c, { player: "cid", points: 5_000 });
    expect((await busyGames(world)).toSorted()).toEqual([a, b, c].toSorted());
    const { redis, postgres } = await costOfTick(world);
    expect(redis.operations).toBeLessThanOrEqual(2 + 3 * 10);
    expect(redis.byName).toMatchObject({ XREADGROUP: 3, XACK: 3, ZUNION: 1 });
    expect(postgres.operations).toBeLessThanOrEqual(3 * 8);
    expect(await world.badges(a)).toEqual(["ann bronze"]);
    expect(await world.badges(c)).toEqual(["cid bronze"]);
  });
});
