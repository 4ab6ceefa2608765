/** Differences of a big board by samples: counts, random entries of Redis, and random places of Postgres. */
import { z } from "zod";
import { boardKey } from "../../functions/adapters/redis/keys.ts";
import { withParts, type Board, type Cursor } from "../../functions/domain/board/board.ts";
import { compareFully, look, type Difference } from "./compare.ts";
import type { Stores } from "./stores.ts";
import type { ToolDeps } from "./tool-deps.ts";

const RANDOM_ENTRIES = 500;
const RANDOM_PLACES = 10;
const IN_A_ROW = 50;

const strings = z.array(z.string());

/** Stretches of Postgres' order below random points between the first place's and none. */
async function randomPlaces(deps: ToolDeps, game: string, board: Board): Promise<string[]> {
  const first = (await deps.history.top(game, board, 1, undefined)).entries[0];
  const players: string[] = [];
  if (!first) return players;
  for (let n = 0; n < RANDOM_PLACES; n += 1) {
    const after: Cursor = { ...first, points: Math.floor(Math.random() * (first.points + 1)) };
    const entries = await deps.bests.page(game, board, after, IN_A_ROW);
    players.push(...entries.map(({ player }) => player));
  }
  return players;
}

/** Whether some board of the week holds another number of entries than Postgres, also on a second look. */
async function countsDiffer({ redis }: Stores, deps: ToolDeps, game: string, board: Board): Promise<boolean> {
  for (const part of withParts(board)) {
    const differ = async () => {
      const held = z.int().parse(await redis.command(["ZCARD", boardKey(game, part)]));
      return held !== (await deps.history.count(game, part)).ranked;
    };
    if (!(await differ())) continue;
    await deps.sleep(1_000);
    if (await differ()) return true;
  }
  return false;
}

/** A count that differs is followed by the full comparison, which says who. */
export async function sampleDifferences(
  stores: Stores,
  deps: ToolDeps,
  game: string,
  board: Board,
): Promise<Difference[]> {
  if (await countsDiffer(stores, deps, game, board)) {
    const found = await compareFully(stores, game, board, () => undefined);
    if (found.length > 0) return found;
  }
  const held = await stores.redis.command(["ZRANDMEMBER", boardKey(game, board), String(RANDOM_ENTRIES)]);
  const players = [...strings.parse(held), ...(await randomPlaces(deps, game, board))];
  return look(stores, game, board, players);
}
