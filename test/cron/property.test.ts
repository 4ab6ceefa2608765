/** Random histories, crashes and redeliveries against a plain model: the set of badges that submissions deserve. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catchUpBadges } from "../../functions/services/badges/award-badges.ts";
import { DRAIN, drainBadges } from "../../functions/services/badges/drain-badges.ts";
import { DEFAULT_BADGES, type BadgeThreshold } from "../../functions/domain/badges.ts";
import { passMinute } from "./history.ts";
import { streamOf } from "./stream.ts";
import { startWorld, type Score, type World } from "./world.ts";
import { badgesFor } from "./deserved.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const long = process.env["EDGEBOARD_LONG"] === "1";
const seed = Number(process.env["SEED"] ?? Date.now() % 2 ** 31);

/** What is true: thresholds in force, and what was deserved when it was submitted. */
type Model = { readonly game: string; thresholds: readonly BadgeThreshold[]; readonly deserved: Set<string> };
type Step = { readonly name: string; readonly run: (model: Model) => Promise<void> };

const crash = { upstash: ["XAUTOCLAIM", "XREADGROUP", "XACK", "DELCONSUMER"], neon: ["award_submissions_v1"] } as const;
const faults = (Object.keys(crash) as (keyof typeof crash)[]).flatMap((at) =>
  crash[at].map((match) => ({ at, match })),
);

async function drain(model: Model, batch: number): Promise<void> {
  await world.run((deps) => drainBadges(deps, model.game, Date.now() + 25_000, { ...DRAIN, batch }));
}

async function submit(model: Model, scores: readonly Score[]): Promise<void> {
  for (const { player, points } of scores) {
    for (const { badge } of badgesFor(points, model.thresholds)) model.deserved.add(`${player} ${badge}`);
  }
  await world.submit(model.game, ...scores);
}

async function drainAndCrash(model: Model, where: (typeof faults)[number], action: "drop-before" | "drop-after") {
  await world[where.at].faults([{ match: where.match, action, times: 1 }]);
  await drain(model, 3).catch(() => undefined);
  await world[where.at].faults([]);
}

const score = fc.record({ player: fc.constantFrom("ann", "bob", "7", "null"), points: fc.nat(12_000) });
const threshold = fc.constantFrom(500, 1_000, 3_000, 9_000);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.array(score, { minLength: 1, maxLength: 8 }).map((scores) => ({
    name: `submit ${scores.map((s) => `${s.player}:${s.points}`).join(" ")}`,
    run: (model: Model) => submit(model, scores),
  })),
  fc.tuple(threshold, threshold).map(([bronze, gold]) => ({
    name: `thresholds ${bronze} ${gold}`,
    run: async (model: Model) => {
      model.thresholds = [
        { badge: "bronze", threshold: bronze },
        { badge: "gold", threshold: gold },
      ];
      await world.api("PUT", `/v1/games/${model.game}`, { badges: model.thresholds });
    },
  })),
  fc.integer({ min: 1, max: 9 }).map((n) => ({ name: `drain by ${n}`, run: (model: Model) => drain(model, n) })),
  fc.constant({
    name: "three drains at once",
    run: async (model: Model) => void (await Promise.all([2, 3, 5].map((n) => drain(model, n)))),
  }),
  fc
    .tuple(fc.constantFrom(...faults), fc.constantFrom("drop-before" as const, "drop-after" as const))
    .map(([where, action]) => ({
      name: `crash ${where.match} ${action}`,
      run: (model: Model) => drainAndCrash(model, where, action),
    })),
  fc.nat(6).map((n) => ({
    name: `a consumer dies with ${n}`,
    run: async ({ game }: Model) => void (await streamOf(world.redis, game).abandon(n)),
  })),
  fc.nat(9).map((nth) => ({
    name: `entry ${nth} is deleted`,
    run: async ({ game }: Model) => {
      const id = (await streamOf(world.redis, game).ids())[nth];
      if (id !== undefined) await streamOf(world.redis, game).remove([id]);
    },
  })),
  fc.constant({
    name: "group destroyed",
    run: async ({ game }: Model) =>
      void (await world.redis.xgroup("DESTROY", streamOf(world.redis, game).key, "badges")),
  }),
  fc.constant({ name: "Redis flushed", run: async () => void (await world.redis.flushall()) }),
  fc.constant({
    name: "a minute passes",
    run: async ({ game }: Model) => {
      await passMinute(world, game);
      await world.run((deps) => catchUpBadges(deps, game, Date.now() + 25_000, 4));
    },
  }),
  fc.constant({ name: "tick", run: () => world.tick() }),
);

describe("whatever happens", () => {
  it("every badge is awarded that was deserved, once", { timeout: long ? 3_600_000 : 600_000 }, async () => {
    console.log(`seed ${seed}; again: SEED=${seed} npm test -- cron`);
    const history = fc.array(step, { minLength: 3, maxLength: 14 }).map((steps) => ({
      steps,
      toString: () => steps.map(({ name }) => name).join(" / "),
    }));
    const property = fc.asyncProperty(history, async ({ steps }) => {
      const model: Model = { game: await world.game(), thresholds: DEFAULT_BADGES, deserved: new Set() };
      for (const { run } of steps) await run(model).catch(ignoreMissing);
      await passMinute(world, model.game);
      await world.tick();
      expect(await world.badges(model.game)).toEqual([...model.deserved].toSorted());
      const announced = world.announced(model.game);
      expect(announced).toEqual([...new Set(announced)]);
    });
    await fc.assert(property, { seed, numRuns: long ? 300 : 8, endOnFailure: !long });
  });
});

/** Between a flush and the next tick there is neither stream nor group: a step then has nothing to do. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error) || !/NOGROUP|no such key|requires the key to exist/.test(error.message)) throw error;
}
