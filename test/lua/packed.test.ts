import { describe, expect, it } from "vitest";
import { packStrength, textOf } from "../../functions/domain/board/packing.ts";
import { compare, isLong, packingFor, pairs, SPLITS, type Place } from "../domain/packed.ts";
import { definedBoard, fillingDefined, readsOf } from "./defined.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

const PAIRS = isLong ? 1_000_000 : 20_000;
/** Pairs on one board. */
const CHUNK = 1_000;
const pad = (n: number) => String(n).padStart(6, "0");

describe.each(SPLITS)("packed scores with %i bits of strength", (split) => {
  it(
    `hold ${PAIRS} pairs in Redis exactly, in the order of strength and time, and versions read back their ticks`,
    { timeout: 1_800_000 },
    async () => {
      const engine = await server.openGame();
      const board = definedBoard(engine, "any", { kind: "n", split });
      const reads = readsOf(engine, board);
      const list = [...pairs(split, PAIRS)];
      for (let from = 0; from < list.length; from += CHUNK) {
        const places = list.slice(from, from + CHUNK).flat();
        const entries = places.map(([strength, tick], i) => ({ player: pad(i), strength, tick }));
        const filled = fillingDefined(board, entries, [], "d");
        await engine.call("fill", filled.keys, [1, ...filled.args]);
        const changes = places.reduce((sum, [, tick]) => sum + BigInt(tick + 1), 0n);
        expect(await server.redis.get(board.changes)).toBe(String(changes));
        const order = places
          .map((place, i): readonly [Place, string] => [place, pad(i)])
          .toSorted(([a, idA], [b, idB]) => compare(b, a) || (idA < idB ? 1 : -1));
        const { entries: shown } = await reads.top(places.length);
        const wrong = order.findIndex(([place, player], i) => {
          const score = packStrength(packingFor(split), ...place);
          return shown[i]?.player !== player || shown[i].score !== score || Number(textOf(score)) !== shown[i].score;
        });
        if (wrong !== -1) expect.fail(JSON.stringify({ expected: order[wrong], got: shown[wrong] }));
      }
    },
  );
});
