/** A game's evening: who plays when, with how many points. The same seed gives the same evening. */

export type Play = { readonly player: string; readonly points: number; readonly country: string };

const ADJECTIVES =
  "brave calm clever cosmic crimson daring fierce gentle golden happy icy jolly keen lucky lunar mighty misty noble quick quiet rapid royal shiny silent silver solar stormy sunny swift wild".split(
    " ",
  );
const ANIMALS =
  "badger bear beaver crane dingo eagle falcon ferret fox gecko heron husky ibex jaguar koala lemur lynx marten moose newt ocelot otter owl panda puffin raven salmon seal tiger wolf".split(
    " ",
  );
const COUNTRIES = "US BR DE FR GB IN JP KR MX PL ES IT CA AU SE NL TR AR ID PH".split(" ");
const PARETO_SHAPE = 1.5;
const PARETO_SCALE = 100;

/** A small seeded generator of numbers in [0, 1) (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = (list: readonly string[], index: number) => list[index % list.length] ?? "";

/** Name of the n-th possible player; the number keeps names apart. */
function playerName(n: number): string {
  return `${pick(ADJECTIVES, n)}-${pick(ANIMALS, Math.floor(n / ADJECTIVES.length))}-${n}`;
}

/** The plays of an evening: players drawn evenly, points Pareto-distributed (shape 1.5, times 100). */
export function* playEvening(seed: number, count: number, players: number): Generator<Play> {
  const random = createRandom(seed);
  for (let i = 0; i < count; i++) {
    const n = Math.floor(random() * players);
    const points = Math.floor(PARETO_SCALE / (1 - random()) ** (1 / PARETO_SHAPE));
    yield { player: playerName(n), points: Math.min(points, 2 ** 33 - 1), country: pick(COUNTRIES, n * 7) };
  }
}
