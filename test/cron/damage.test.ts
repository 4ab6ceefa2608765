import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { activityKey, ACTIVE_KEY, rebuildKey, rebuildStateKey } from "../../functions/adapters/redis/keys.ts";
import {
  expectHealed,
  expectRightPlace,
  expectRightReads,
  KINDS,
  restingGame,
  restore,
  wrongType,
  type Resting,
} from "./damage.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** Every damage with each first comer takes minutes. */
const LONG = process.env["EDGEBOARD_LONG"] === "1";
const A_MINUTE_MS = 60_000;

const DAMAGES = {
  deleted: (key: string) => world.redis.del(key),
  "restored from an older backup": (key: string, { old }: Resting) =>
    restore(world, new Map([[key, old.get(key) ?? null]])),
  "of a wrong type": (key: string, { game }: Resting) => wrongType(world, key, key === rebuildStateKey(game)),
};
type Damage = keyof typeof DAMAGES;

async function damage(kind: string, how: Damage, resting: Resting): Promise<void> {
  const { game } = resting;
  const key = KINDS[kind]?.(game) ?? "";
  await DAMAGES[how](key, resting);
  // The keys of a rebuild matter only to a game that Redis does not have.
  if ([rebuildKey(game), rebuildStateKey(game)].includes(key)) await world.redis.del(activityKey(game));
}

async function expectTwoTicksToHeal(resting: Resting): Promise<void> {
  await world.tick();
  await world.tick();
  await expectHealed(world, resting.game);
  await expectRightReads(world, resting);
  // The next tests' ticks look after their own game only.
  await world.redis.zrem(ACTIVE_KEY, resting.game);
}

/** Who comes first after the damage. */
const FIRST = {
  "the next submission": (resting: Resting) => expectRightPlace(world, resting, A_MINUTE_MS),
  "the next read": (resting: Resting) => expectRightReads(world, resting, A_MINUTE_MS),
  "nobody but ticks": () => Promise.resolve(),
};
type First = keyof typeof FIRST;

const DAMAGED = Object.keys(KINDS).flatMap((kind) => (Object.keys(DAMAGES) as Damage[]).map((how) => ({ kind, how })));
const FIRSTS = Object.keys(FIRST) as First[];
/** All of them in the long run; else each kind with each damage and with each who comes first. */
const CASES = DAMAGED.flatMap((damaged, i) =>
  FIRSTS.filter((_, f) => LONG || f === (i + Math.floor(i / FIRSTS.length)) % FIRSTS.length).map((first) => ({
    ...damaged,
    first,
  })),
);

describe("a resting game, one key of which is lost or wrong,", () => {
  it.each(CASES)("$kind $how: $first is answered right, and two ticks heal it", async ({ kind, how, first }) => {
    const resting = await restingGame(world, true);
    await damage(kind, how, resting);
    await FIRST[first](resting);
    await expectTwoTicksToHeal(resting);
  });
});

const AT_ONCE = DAMAGED.filter(
  ({ kind, how }) => how !== "restored from an older backup" && (LONG || /board/.test(kind)),
);

describe("a game that was played a moment ago, one key of which is lost or wrong,", () => {
  it.each(AT_ONCE)(
    "$kind $how: reads and submissions are answered right, and two ticks heal it",
    async ({ kind, how }) => {
      const resting = await restingGame(world, false);
      await damage(kind, how, resting);
      await expectRightReads(world, resting);
      await expectRightPlace(world, resting);
      await expectTwoTicksToHeal(resting);
    },
  );
});

describe("a resting game that was restored as a whole from an older backup", () => {
  it.each([true, false])("answers the next submission right, and two ticks heal it (verified: %s)", async (settled) => {
    const resting = await restingGame(world, settled);
    await restore(world, resting.old);
    await expectRightPlace(world, resting, A_MINUTE_MS);
    await expectTwoTicksToHeal(resting);
  });

  it.each([true, false])("answers the next read right, and two ticks heal it (verified: %s)", async (settled) => {
    const resting = await restingGame(world, settled);
    await restore(world, resting.old);
    await expectRightReads(world, resting, A_MINUTE_MS);
    await expectTwoTicksToHeal(resting);
    expect(await world.redis.exists(rebuildKey(resting.game))).toBe(0);
  });
});
