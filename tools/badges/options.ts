/** Command line of `npm run badges`. */
import { parseArgs } from "node:util";
import { Game } from "../../functions/contract/primitives.ts";

export const USAGE = `usage: npm run badges -- [--game <game>] [--backfill]

Shows who has how many badges and whether any is missing, of one game or of all.
  --backfill   awards what all submissions so far deserve by today's thresholds; safe to run twice and at any time
Finds the stores by REDIS_URL or UPSTASH_REDIS_REST_URL and _TOKEN, and DATABASE_URL; else by DATA_DIR/stack.json.`;

export type Options = { readonly game: string | undefined; readonly backfill: boolean };

/** Throws with what is wrong. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { game: { type: "string" }, backfill: { type: "boolean", default: false } },
  });
  const { game, backfill } = values;
  if (game !== undefined && !Game.safeParse(game).success) throw new Error("--game is 1–32 of a–z, 0–9 and -");
  return { game, backfill };
}
