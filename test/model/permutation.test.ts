import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newGame } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { lastWeek, pastWeek } from "../http/times.ts";
import { allTimeKey, countryKey, weekKey } from "../harness/board-keys.ts";

const stores = openStores();
const LONG = process.env["EDGEBOARD_LONG"] === "1";
const [one, two] = [lastWeek(), pastWeek(2)];

/** Ties of points and seconds, two weeks, a country for each player. */
const submission = fc.record({
  player: fc.constantFrom("a", "B", "é", "007"),
  points: fc.constantFrom(0, 5, 5, 6, 8_589_934_591),
  submittedAt: fc.constantFrom(one.at(1), one.at(2), one.at(2, 900), two.at(1)),
});
const withCountry = <T extends { player: string }>(item: T) => ({
  ...item,
  country: item.player === "a" ? "DE" : "FR",
});

/** Members and scores of every board, as Redis prints them. */
async function boardsAfter(submissions: readonly object[], batched: boolean): Promise<string[][]> {
  const game = await newGame();
  if (batched) await game.batch(submissions);
  else for (const each of submissions) await game.submit({ ...each });
  const keys = [
    allTimeKey(game.id),
    ...[one, two].flatMap(({ week }) => [
      weekKey(game.id, week),
      countryKey(game.id, week, "DE"),
      countryKey(game.id, week, "FR"),
    ]),
  ];
  return Promise.all(keys.map((key) => stores.redis.zrange(key, 0, "-1", "WITHSCORES")));
}

describe("a board", () => {
  it(
    "is the same, byte for byte, in whatever order its submissions came, one by one or together",
    async () => {
      const orders = fc
        .array(submission, { minLength: 2, maxLength: 7 })
        .map((items) => items.map(withCountry))
        .chain((items) =>
          fc.record({
            items: fc.constant(items),
            shuffled: fc.shuffledSubarray(items, { minLength: items.length }),
            batched: fc.boolean(),
          }),
        );
      const property = fc.asyncProperty(orders, async ({ items, shuffled, batched }) => {
        const boards = await boardsAfter(items, false);
        expect(await boardsAfter(items.toReversed(), true)).toEqual(boards);
        expect(await boardsAfter(shuffled, batched)).toEqual(boards);
      });
      await fc.assert(property, { numRuns: LONG ? 500 : 12 });
    },
    LONG ? 3_600_000 : 300_000,
  );
});
