/** Pairs of packed scores written to a board and read again, by whatever way the caller's calls take. */
import { packStrength, type Split } from "../../functions/domain/board/packing.ts";
import { compare, isLong, packingFor, pairs, type Place } from "../domain/packed.ts";
import { definedBoard, fillingDefined, readsOf } from "./defined.ts";
import type { Engine } from "./engine.ts";

/** How many pairs: with EDGEBOARD_LONG=1 a million. Through HTTP fewer: what can go wrong there is the spelling. */
export const PAIRS = { redis: isLong ? 1_000_000 : 20_000, http: isLong ? 1_000_000 : 2_000 };
export const LONGEST_MS = 1_800_000;
/** Pairs on one board. */
const CHUNK = 1_000;
const pad = (n: number) => String(n).padStart(6, "0");

/**
 * Throws unless a board has the pairs of neighbouring and of random places in the order of strength and time, with exactly the
 * scores that were written.
 */
export async function expectPairsKept(
  engine: Pick<Engine, "call" | "keys">,
  split: Split,
  count: number,
): Promise<void> {
  const board = definedBoard(engine, "any", { kind: "n", split });
  const reads = readsOf(engine, board);
  const list = [...pairs(split, count)];
  for (let from = 0; from < list.length; from += CHUNK) {
    const places = list.slice(from, from + CHUNK).flat();
    const entries = places.map(([strength, tick], i) => ({ player: pad(i), strength, tick }));
    const filled = fillingDefined(board, entries, [], "d");
    await engine.call("fill", filled.keys, [1, ...filled.args]);
    const order = places
      .map((place, i): readonly [Place, string] => [place, pad(i)])
      .toSorted(([a, idA], [b, idB]) => compare(b, a) || (idA < idB ? 1 : -1));
    const { entries: shown, version } = await reads.top(places.length);
    const wrong = order.findIndex(
      ([place, player], i) =>
        shown[i]?.player !== player || shown[i].score !== packStrength(packingFor(split), ...place),
    );
    if (wrong !== -1) throw new Error(JSON.stringify({ expected: order[wrong], got: shown[wrong] }));
    // What Lua unpacked of every score is in the version.
    const changes = places.reduce((sum, [, tick]) => sum + BigInt(tick + 1), 0n);
    if (BigInt(version.slice(-17)) !== changes) throw new Error(`${version} does not end with ${changes}`);
  }
}
