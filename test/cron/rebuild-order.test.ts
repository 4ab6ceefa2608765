import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { activityKey, rebuildStateKey } from "../../functions/adapters/redis/keys.ts";
import { weekOf } from "../../functions/domain/board/week.ts";
import { rebuildGame } from "../../functions/services/healing/rebuild.ts";
import { until } from "../harness/until.ts";
import { startWorld, type World } from "./world.ts";
import { weekKey } from "../harness/board-keys.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const HELD_BACK_MS = 1_500;
const A_MINUTE_MS = 60_000;

describe("a rebuild", () => {
  it("keeps the first entry of a board that was ranked while it emptied the boards", async () => {
    const game = await world.game();
    await world.redis.del(activityKey(game));
    // The first call of the run empties the boards; it arrives after the submission.
    await world.upstash.faults([{ match: "lb_page_v2", action: "delay", delayMs: HELD_BACK_MS, times: 1 }]);
    const rebuilding = world.run((deps) => rebuildGame(deps, game, deps.clock.now() + A_MINUTE_MS));
    await until("the run has begun", async () => (await world.redis.exists(rebuildStateKey(game))) === 1);
    await world.submit(game, { player: "ann", points: 7 });
    expect(await rebuilding).toBe("opened");
    expect(await world.redis.zrevrank(weekKey(game, weekOf(Date.now())), "ann")).toBe(0);
  });
});
