/** Command line of `npm run rebuild`. */
import { parseArgs } from "node:util";
import { parseBoard, type Board } from "../../functions/domain/board/board.ts";

export const USAGE = `usage: npm run rebuild -- [--game <game>] [--board <week|all-time>]

Brings boards in Redis to what Postgres says, while the service goes on: all games, one game or one board.
Finds the stores by REDIS_URL or UPSTASH_REDIS_REST_URL and _TOKEN, and DATABASE_URL; else by DATA_DIR/stack.json.`;

export type Options = { readonly game: string | undefined; readonly board: Board | undefined };

/** Throws with what is wrong. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { game: { type: "string" }, board: { type: "string" } },
  });
  const { game, board: name } = values;
  const board = name === undefined ? undefined : parseBoard(name);
  if (name !== undefined && board === undefined) throw new Error("--board is a week such as 2026-W42, or all-time");
  if (board !== undefined && game === undefined) throw new Error("--board needs --game");
  return { game, board };
}
