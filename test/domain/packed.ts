/** Strengths and times at the edges of the packed scores, and random ones. */
import { lastTickOf, type Packing, type Split } from "../../functions/domain/board/packing.ts";

export const SPLITS: readonly Split[] = [33, 43, 53];

/** A period that begins at 0 with a tick a millisecond: ticks are instants. */
export const packingFor = (split: Split): Packing => ({ split, timed: true, startsAtMs: 0, unitMs: 1 });

export type Place = readonly [strength: number, tick: number];

/** The greater strength first, then the earlier tick: negative when `a` ranks below `b`. */
export const compare = ([strengthA, tickA]: Place, [strengthB, tickB]: Place): number =>
  Math.sign(strengthA - strengthB || tickB - tickA);

/** A fixed sequence of numbers from 0 to 1 (mulberry32): a failure comes back. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.trunc(state + 0x6d_2b_79_f5);
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A place and its neighbour: a tick later, a strength less at whatever time, or any other. */
export function* pairs(split: Split, count: number): Generator<readonly [Place, Place]> {
  const random = randomFrom(split);
  const [strengths, lastTick] = [2 ** split, lastTickOf(packingFor(split))];
  const below = (most: number) => Math.min(most - 1, Math.floor((random() + random() * 2 ** -32) * most));
  /** Of all sizes, and beside every power of two, where the exponent of a score changes. */
  const strength = () => {
    const kind = random();
    if (kind < 0.5) return below(strengths);
    const edge = 2 ** Math.floor(random() * (split + 1)) + (kind < 0.75 ? 0 : below(2048) * 2 ** (split - 11));
    return Math.min(strengths - 1, Math.max(0, edge - 1 + Math.floor(random() * 3)));
  };
  const tick = () => (random() < 0.2 ? (random() < 0.5 ? 0 : lastTick) : below(lastTick + 1));
  for (let i = 0; i < count; i++) {
    const place: Place = [strength(), tick()];
    const kind = i % 4;
    if (kind === 0) yield [place, [strength(), tick()]];
    else if (kind === 1) yield [place, [place[0], Math.min(lastTick, place[1] + 1)]];
    else if (kind === 2) yield [place, [Math.max(0, place[0] - 1), tick()]];
    else
      yield [
        [place[0], lastTick],
        [Math.max(0, place[0] - 1), 0],
      ];
  }
}

export const isLong = process.env["EDGEBOARD_LONG"] === "1";
