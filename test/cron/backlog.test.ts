import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { drainBadges, type Drained } from "../../functions/services/badges/drain-badges.ts";
import { deservedIn } from "./history.ts";
import { activityOf, streamOf } from "./stream.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const SUBMISSIONS = process.env["EDGEBOARD_LONG"] === "1" ? 100_000 : 25_000;
const BUDGET_MS = 25_000;
const Row = z.object({ id: z.string(), player: z.string(), points: z.string() });

/** As many submissions as an evening brings while the cron is away, in Postgres and in the stream. */
async function evening(game: string): Promise<void> {
  const rows = await world.rows(
    Row,
    `insert into submissions (game, player, idempotency_key, request, points, week, submitted_at)
      select $1, 'p' || n % 5000, n::text, '', n * 7919 % 12000, '2026-W48', now() from generate_series(1, $2::int) n
      returning id, player, points`,
    [game, SUBMISSIONS],
  );
  for (let at = 0; at < rows.length; at += 5_000) {
    const pipeline = world.redis.pipeline();
    for (const { id, player, points } of rows.slice(at, at + 5_000)) {
      const fields = ["player", player, "points", points, "best", points, "rank", "", "week", "2026-W48", "at", "0"];
      pipeline.xadd(activityOf(game), "*", "submission", id, ...fields);
    }
    await pipeline.exec();
  }
}

describe(`${SUBMISSIONS} submissions between two ticks`, () => {
  it("are drained, at least 20,000 by one run, and every deserved badge is there", { timeout: 180_000 }, async () => {
    const game = await world.game();
    await evening(game);
    const runs: Drained[] = [];
    const started = performance.now();
    do {
      runs.push(await world.run((deps) => drainBadges(deps, game, Date.now() + BUDGET_MS)));
    } while (runs.at(-1)?.quiet !== true);
    const seconds = (performance.now() - started) / 1_000;
    const [first] = runs;
    const roundTrips = runs.reduce((sum, run) => sum + run.roundTrips, 0);
    console.log(
      `first run: ${first?.read} entries in ${first?.roundTrips} round trips; all: ${SUBMISSIONS} entries, ` +
        `${roundTrips} round trips, ${seconds.toFixed(1)} s, ${Math.round(SUBMISSIONS / seconds)} entries/s`,
    );
    expect(first?.read).toBeGreaterThanOrEqual(20_000);
    expect(await world.badges(game)).toEqual(await deservedIn(world, game));
    expect(await streamOf(world.redis, game).pending()).toBe(0);
  });
});
