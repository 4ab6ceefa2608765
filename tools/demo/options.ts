/** Command line of the demo. */
import { parseArgs } from "node:util";
import { z } from "zod";

const positive = z.coerce.number().pipe(z.int().min(1));

const Options = z.object({
  seed: z.coerce.number().pipe(z.int().min(0)),
  count: positive,
  players: positive,
  clients: positive,
  /** Submissions a second; undefined = as fast as it goes. */
  rate: z.coerce.number().positive().optional(),
  game: z.string(),
});
export type DemoOptions = z.infer<typeof Options>;

export const USAGE = `usage: npm run demo -- [--seed 1] [--count 40000] [--players 50000] [--clients 8] [--rate 20] [--game arena]
Plays a game's evening against the running stack (DATA_DIR, default .data, says where it is).`;

/** Throws with a readable message for an unknown or malformed option. */
export function parseOptions(args: readonly string[]): DemoOptions {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { ...text, default: "1" },
      count: { ...text, default: "40000" },
      players: { ...text, default: "50000" },
      clients: { ...text, default: "8" },
      rate: text,
      game: { ...text, default: "arena" },
    },
  });
  const parsed = Options.safeParse(values);
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map((issue) => `--${issue.path.join(".")}: ${issue.message}`).join("; "));
}
