/** Random plans: what a test does to one game, as plain data that fast-check can shrink and print. */
import fc from "fast-check";

/** One submission; numbers are places in the lists below. */
export type Score = {
  readonly player: number;
  readonly points: number;
  /** Weeks back, 0 = the current one. */
  readonly week: number;
  /** Second within the day on which a past week's submissions lie. */
  readonly second: number;
  readonly ms: number;
  readonly country: number;
};

export type Command =
  | { readonly do: "submit"; readonly score: Score }
  | { readonly do: "batch"; readonly scores: readonly Score[]; readonly sharedKey: boolean }
  | { readonly do: "replay"; readonly of: number; readonly batched: boolean }
  | { readonly do: "reuse-key"; readonly of: number }
  | { readonly do: "spoil"; readonly score: Score; readonly points: number }
  | { readonly do: "remove"; readonly of: number }
  | { readonly do: "delete-player" | "ban" | "unban"; readonly player: number }
  | { readonly do: "lose-redis" };

/** Ids whose byte order, number value and Unicode form differ. */
export const PLAYERS = ["a", "b", "B", "aa", "7", "007", "é", "e\u0301", "😀", "～", "a/b", "null"] as const;
export const COUNTRIES = ["XX", "DE", "FR", "JP"] as const;
export const WEEKS = 5;

/** Few values, so that ties are common; both ends of the range among them. */
const points = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 4_194_303, 4_194_304, 8_589_934_590, 8_589_934_591) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 8_589_934_591 }) },
);

const score: fc.Arbitrary<Score> = fc.record({
  player: fc.nat(PLAYERS.length - 1),
  points,
  week: fc.nat(WEEKS - 1),
  second: fc.nat(3),
  ms: fc.constantFrom(0, 1, 500, 999),
  country: fc.nat(COUNTRIES.length - 1),
});

const nth = fc.nat(200);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 40, arbitrary: fc.record({ do: fc.constant("submit" as const), score }) },
  {
    weight: 16,
    arbitrary: fc.record({
      do: fc.constant("batch" as const),
      scores: fc.array(score, { minLength: 1, maxLength: 8 }),
      sharedKey: fc.boolean(),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("replay" as const), of: nth, batched: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("reuse-key" as const), of: nth }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("spoil" as const),
      score,
      points: fc.constantFrom(-1, 1.5, 8_589_934_592),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("remove" as const), of: nth }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("ban" as const, "ban" as const, "unban" as const, "unban" as const, "delete-player" as const),
      player: fc.nat(PLAYERS.length - 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("lose-redis" as const) }) },
);

/** A plan of up to `most` commands. */
export const planOf = (most: number): fc.Arbitrary<readonly Command[]> =>
  fc.array(command, { minLength: 1, maxLength: most, size: "max" });
