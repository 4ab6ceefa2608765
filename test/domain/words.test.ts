import { expect, it } from "vitest";
import { z } from "zod";
// Brings the words: they are the Worker's.
import "../../functions/app.ts";
import * as boards from "../../functions/contract/boards.ts";
import * as feed from "../../functions/contract/feed.ts";
import * as games from "../../functions/contract/games.ts";
import * as moderation from "../../functions/contract/moderation.ts";
import * as primitives from "../../functions/contract/primitives.ts";
import * as scores from "../../functions/contract/scores.ts";

const JUNK: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  0.5,
  1e300,
  "",
  "x",
  "\u0000",
  "-5",
  "999999999",
  "..",
  "DEUTSCH",
  "2026-W99",
  "x".repeat(2_000),
  [],
  ["x"],
  [null, null],
  {},
  { x: 1 },
  [{ badge: "A B", threshold: -1 }],
  { perPlayer: { submissions: 0, seconds: "x", y: 1 } },
  { perPlayer: 7 },
];

/** What a validator says that no player of a game should read. */
const JARGON =
  /regex|pattern|invalid|expected|received|zod|NaN|undefined|Too (big|small)|[\^$\\]|>=|<=|string|\bint\b/i;

const schemas = Object.entries({ ...boards, ...feed, ...games, ...moderation, ...primitives, ...scores }).flatMap(
  ([name, schema]) => (schema instanceof z.ZodType ? [[name, schema] as const] : []),
);

/** Everything that a schema says, alternatives of a union included. */
function messagesOf(issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.map(({ message }) => message);
}

it.each(schemas)("%s says in words what is wrong", (_name, schema) => {
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const values = [...JUNK, ...fields.flatMap((field) => JUNK.map((value) => ({ [field]: value })))];
  const said = new Set(values.flatMap((value) => messagesOf(schema.safeParse(value).error?.issues ?? [])));
  expect(said.size).toBeGreaterThan(0);
  expect([...said].filter((message) => JARGON.test(message) || !/^(must|is|has) /.test(message))).toEqual([]);
});

it("names the boards that there are when one is mistyped", () => {
  const { error } = primitives.BoardName.safeParse("Weekly");
  expect(error?.issues[0]?.message).toBe(
    "must be `current`, `all-time`, an ISO week such as 2026-W42, or a board of the game such as `laps` or `laps.previous`",
  );
});

it.each([
  [scores.ScoreRequest, { player: "a" }, "is required, or `values` with at least one statistic"],
  [scores.ScoreRequest, { player: "a", points: "1" }, "must be an integer"],
  [scores.ScoreRequest, { player: "a", points: 1.5 }, "must be an integer"],
  [scores.ScoreRequest, { player: "a", points: 2 ** 53 }, "must be 8589934591 or less"],
  [scores.ScoreRequest, { player: "a", points: -(2 ** 60) }, "must be 0 or more"],
  [
    scores.ScoreRequest,
    { player: "a", points: 1, values: { Lap: 1 } },
    "is a name that must be 1–32 letters and digits, and begin with a small letter",
  ],
  [scores.ScoreRequest, { player: "a", points: 1, values: [1] }, "must be an object"],
  [
    scores.ScoreRequest,
    { player: "a", points: 1, segments: { country: "DE" } },
    "must not have `country`, which is a field of its own",
  ],
  [games.GameRequest, { feedLength: 1e300 }, "must be 100000 or less"],
  [games.GameRequest, { maxImprovement: 2 ** 60 }, "must be 8589934591 or less"],
  [games.GameRequest, { badges: [{ badge: "a" }] }, "is required"],
  [scores.BatchRequest, { submissions: [] }, "must have 1 entry or more"],
  [scores.BatchRequest, { submissions: Array.from({ length: 1_001 }) }, "must have 1,000 entries or fewer"],
])("%# says one thing, and the right one", (schema, value, words) => {
  expect(messagesOf(schema.safeParse(value).error?.issues ?? [])).toEqual([words]);
});
