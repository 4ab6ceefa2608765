/** Counts, entries, order and expiry of a game's boards. */
import { z } from "zod";
import { boardKey, countedKey, playersKey } from "../../functions/adapters/redis/keys.ts";
import { BOARD_PLAYERS } from "../../functions/domain/platform-limits.ts";
import { isLive, labelOf, withParts, type Board } from "../../functions/domain/board/board.ts";
import { estimatesTooFew } from "../../functions/services/healing/inspect.ts";
import { pagesFrom } from "../../functions/services/healing/pages.ts";
import { compareFully, LOOK_AGAIN_MS, LOOKS, type Difference } from "./compare.ts";
import { isFullBoard } from "./check-keys.ts";
import { mend } from "./mend.ts";
import type { Problem } from "./problem.ts";
import { sampleDifferences } from "./sample.ts";
import type { Stores } from "./stores.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** A board this small is compared entry by entry, sampled or not. */
const SMALL = 10_000;
const SHOWN = 100;
const EXPIRY_TOLERANCE_MS = 5_000;

const shortList = (found: readonly Difference[]) =>
  `${found
    .slice(0, 3)
    .map(({ kind, player }) => `${kind} "${player}"`)
    .join(", ")}${found.length > 3 ? ", …" : ""}`;

async function checkEntries(stores: Stores, deps: ToolDeps, game: string, board: Board, full: boolean) {
  const { ranked } = await deps.history.count(game, board);
  const found =
    full || ranked <= SMALL
      ? await compareFully(stores, game, board, () => undefined)
      : await sampleDifferences(stores, deps, game, board);
  return [...Map.groupBy(found, (one) => labelOf(one.board))].map(([label, differences]): Problem => ({
    check: "entries",
    game,
    board: label,
    detail: `${differences.length} differ from Postgres: ${shortList(differences)}`,
    repair: () => mend(stores, deps, game, differences),
  }));
}

async function mendFully(stores: Stores, deps: ToolDeps, game: string, board: Board): Promise<void> {
  await mend(stores, deps, game, await compareFully(stores, game, board, () => undefined));
}

/** The first places as both stores would answer them. */
async function checkOrder(
  stores: Stores,
  deps: ToolDeps,
  game: string,
  board: Board,
  looks = LOOKS,
): Promise<Problem[]> {
  const held = await deps.ranking.top(game, board, SHOWN, undefined);
  const wanted = await deps.history.top(game, board, SHOWN, undefined);
  if (!held || JSON.stringify(held.found.entries) === JSON.stringify(wanted.entries)) return [];
  if (looks > 1) return deps.sleep(LOOK_AGAIN_MS).then(() => checkOrder(stores, deps, game, board, looks - 1));
  const repair = () => mendFully(stores, deps, game, board);
  return [{ check: "order", game, board: board.name, detail: `the first ${SHOWN} places differ`, repair }];
}

/** Every key of a board that ends expires; others never do. */
async function checkExpiry({ redis }: Stores, game: string, board: Board): Promise<Problem[]> {
  const keys = withParts(board).map((part) => ({ label: labelOf(part), key: boardKey(game, part) }));
  if (isLive(board)) {
    keys.push({ label: `${board.name} players`, key: playersKey(game, board.name) });
    keys.push({ label: `${board.name} players counted`, key: countedKey(game, board.name) });
  }
  const wanted = board.period?.expiresAtMs;
  const checked = keys.map(async ({ label, key }): Promise<Problem[]> => {
    const ttl = z.int().parse(await redis.command(["PTTL", key]));
    if (ttl === -2) return []; // no such key
    const held = ttl === -1 ? undefined : Date.now() + ttl;
    if (held === wanted || Math.abs((held ?? 0) - (wanted ?? 0)) < EXPIRY_TOLERANCE_MS) return [];
    const command =
      wanted === undefined ? (["PERSIST", key] as const) : (["EXPIREAT", key, String(wanted / 1000)] as const);
    const detail = held === undefined ? "never expires" : `expires at ${new Date(held).toISOString()}`;
    return [{ check: "expiry", game, board: label, detail, repair: () => redis.command([...command]) }];
  });
  return (await Promise.all(checked)).flat();
}

async function checkEstimate(deps: ToolDeps, game: string, board: Board): Promise<Problem[]> {
  if (!isLive(board)) return [];
  const count = await deps.ranking.count(game, board);
  if (!count) return [];
  const { estimate, ranked } = count.found;
  if (!estimatesTooFew(estimate, ranked)) return [];
  const repair = async () => {
    const moderated = await deps.bests.moderated(game);
    for await (const { fills } of pagesFrom(deps, game, [board], [], ""))
      await deps.filler.fill(game, moderated, fills);
  };
  return [{ check: "estimate", game, board: board.name, detail: `estimates ${estimate} players of ${ranked}`, repair }];
}

/** Whether the board is full. */
export const isClosed = ({ redis }: Stores, game: string, board: Board): Promise<boolean> =>
  isFullBoard(redis, boardKey(game, board));

/** A whole board and its parts. */
export async function checkBoard(
  stores: Stores,
  deps: ToolDeps,
  game: string,
  board: Board,
  full: boolean,
): Promise<Problem[]> {
  if (await isClosed(stores, game, board)) {
    const players = BOARD_PLAYERS.toLocaleString("en");
    const detail = `outgrew one key of Redis (about ${players} players on Upstash); Postgres answers for it (docs/scale.md)`;
    return [{ check: "full", game, board: board.name, detail, repair: undefined }];
  }
  return [
    ...(await checkEntries(stores, deps, game, board, full)),
    ...(await checkOrder(stores, deps, game, board)),
    ...(await checkExpiry(stores, game, board)),
    ...(await checkEstimate(deps, game, board)),
  ];
}
