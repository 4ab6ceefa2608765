/** Command line of the demo. */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { z } from "zod";
import { Game } from "../../functions/contract/primitives.ts";

/** The generator of an evening takes 32 bits. */
const SEEDS = 2 ** 32;
const whole = (least: number) => {
  const words = `must be a whole number from ${least} on`;
  return z.coerce.number({ error: words }).pipe(z.int(words).min(least, words));
};
const positive = whole(1);

const Options = z.object({
  seed: whole(0).pipe(z.number().max(SEEDS - 1, `must be below ${SEEDS}`)),
  count: positive,
  players: positive,
  clients: positive,
  /** Submissions a second; undefined = as fast as it goes. */
  rate: z.coerce.number({ error: "must be a number" }).positive("must be above 0").optional(),
  game: Game,
});
export type DemoOptions = z.infer<typeof Options>;

export const USAGE = `usage: npm run demo -- [--count 40000] [--players 50000] [--clients 32] [--rate 20] [--game arena] [--seed <n>]

Plays a game's evening against the running stack (DATA_DIR, default .data, says where it is): another evening each time, and the same one
with the seed that it prints. --players is from how many the players of an evening are drawn, --rate how many submissions a second
at most.`;

/** Throws with a readable message for an unknown or malformed option. */
export function parseOptions(args: readonly string[]): DemoOptions {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { ...text, default: String(randomInt(SEEDS)) },
      count: { ...text, default: "40000" },
      players: { ...text, default: "50000" },
      clients: { ...text, default: "32" },
      rate: text,
      game: { ...text, default: "arena" },
    },
  });
  const parsed = Options.safeParse(values);
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map((issue) => `--${issue.path.join(".")}: ${issue.message}`).join("; "));
}
