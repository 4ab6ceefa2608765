import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DRAIN, drainBadges } from "../../functions/services/badges/drain-badges.ts";
import type { FaultRule } from "../../local/http/faults.ts";
import { deservedIn } from "./history.ts";
import { streamOf } from "./stream.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const drain = (game: string) =>
  world.run((deps) => drainBadges(deps, game, Date.now() + 25_000, { ...DRAIN, batch: 10 }));

/** Steps of a drain by a word of their request, and whose endpoint they go to. */
const STEPS = [
  { step: "claim", at: "upstash", match: "XAUTOCLAIM" },
  { step: "read", at: "upstash", match: "XREADGROUP" },
  { step: "insert", at: "neon", match: "award_submissions_v1" },
  { step: "acknowledge", at: "upstash", match: "XACK" },
  { step: "remove the consumer", at: "upstash", match: "DELCONSUMER" },
] as const;
const ACTIONS = ["drop-before", "drop-after", "truncate"] as const;

const cases = STEPS.flatMap((step) => ACTIONS.map((action) => ({ ...step, action })));

describe("a run that ends in the middle", () => {
  it.each(cases)("at $step, $action: every badge once, nothing pending", async ({ at, match, action }) => {
    const game = await world.game();
    const scores = Array.from({ length: 30 }, (_, i) => ({ player: `p${i % 20}`, points: i * 500 }));
    await world.submit(game, ...scores);
    const stream = streamOf(world.redis, game);
    await stream.abandon(5);
    const fault: FaultRule = { match, action, times: 1 };
    await world[at].faults([fault]);
    await expect(drain(game)).rejects.toThrow();
    await world[at].faults([]);

    await stream.ageNow();
    await drain(game);
    expect(await world.badges(game)).toEqual(await deservedIn(world, game));
    expect(await stream.pending()).toBe(0);
    expect(await drain(game)).toMatchObject({ quiet: true, awarded: 0 });
    const announced = world.announced(game);
    expect(announced).toEqual([...new Set(announced)]);
  });
});
