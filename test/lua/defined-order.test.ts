import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SPLITS } from "../domain/packed.ts";
import { definedBoard, lastTick, partOf, scoreOf, submitDefined, type DefinedBoard, type Place } from "./defined.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

const among = (most: number) =>
  fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: most }), fc.constant(most));

/** Results of a few players on a board of this split; of one player and tick there is one strength, as Postgres has it. */
const resultsOf = (split: DefinedBoard["split"]) =>
  fc.uniqueArray(
    fc.record({
      player: fc.constantFrom("a", "b", "B", "é", "🙂", "007"),
      strength: among(2 ** split - 1),
      tick: among(lastTick({ split })),
    }),
    { minLength: 1, maxLength: 25, selector: ({ player, tick }) => `${player} ${tick}` },
  );

/** What the board has to hold: of each player the greatest, or the latest. */
function model(kind: "r" | "n", results: readonly Place[]): Map<string, Place> {
  const held = new Map<string, Place>();
  for (const result of results) {
    const { strength, tick } = held.get(result.player) ?? { strength: -1, tick: -1 };
    const isGreater = result.strength > strength || (result.strength === strength && result.tick < tick);
    if (kind === "r" ? isGreater : result.tick > tick) held.set(result.player, result);
  }
  return held;
}

const held = async (board: DefinedBoard, players: readonly string[]) =>
  new Map((await server.redis.zmscore(board.key, [...players])).map((score, i) => [players[i] ?? "", Number(score)]));

describe.each(SPLITS)("entries of boards with %i bits of strength", (split) => {
  it.each(["r", "n"] as const)(
    "given by %s end the same in any order, some of them twice, alone or in batches",
    async (kind) => {
      const cases = resultsOf(split).chain((results) =>
        fc.tuple(
          fc.constant(results),
          fc.shuffledSubarray([...results, ...results], { minLength: results.length * 2 }),
          fc.integer({ min: 1, max: 5 }),
        ),
      );
      await fc.assert(
        fc.asyncProperty(cases, async ([results, shuffled, batch]) => {
          const engine = await server.openGame();
          const whole = definedBoard(engine, "any", { kind, split });
          const boards = [
            whole,
            partOf(whole, "crew", "red"),
            { ...definedBoard(engine, "calm", { kind, split }), live: false },
          ];
          for (let from = 0; from < shuffled.length; from += batch) {
            const entries = shuffled.slice(from, from + batch);
            await submitDefined(
              engine,
              boards.flatMap((board) => entries.map((entry) => ({ ...entry, board, flags: board.live ? "wp" : "w" }))),
            );
          }
          const expected = model(kind, results);
          for (const board of boards) {
            const scores = new Map([...expected].map(([player, place]) => [player, Number(scoreOf(board, place))]));
            expect(await server.redis.zcard(board.key)).toBe(expected.size);
            expect(await held(board, [...expected.keys()])).toEqual(scores);
          }
          const ticks = [...expected.values()].reduce((sum, { tick }) => sum + tick + 1, 0);
          if (kind === "n") expect(await server.redis.get(whole.changes)).toBe(String(ticks));
          else expect(await server.redis.exists(whole.changes)).toBe(0);
        }),
        { numRuns: 25 },
      );
    },
  );
});
