/** Counts, entries, order and expiry of a game's boards. */
import { z } from "zod";
import { boardKey, countedKey, playersKey } from "../../functions/adapters/redis/keys.ts";
import { BOARD_PLAYERS } from "../../functions/domain/platform-limits.ts";
import { weekExpiry } from "../../functions/domain/board/week.ts";
import { estimatesTooFew } from "../../functions/services/healing/inspect.ts";
import { pagesFrom } from "../../functions/services/healing/rebuild.ts";
import { boardsOf, compareFully, labelOf, LOOK_AGAIN_MS, LOOKS, wholeBoard, type Difference } from "./compare.ts";
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

async function checkEntries(stores: Stores, deps: ToolDeps, game: string, name: string, full: boolean) {
  const { ranked } = await deps.history.count(game, wholeBoard(name));
  const found =
    full || ranked <= SMALL
      ? await compareFully(stores, game, name, () => undefined)
      : await sampleDifferences(stores, deps, game, name);
  return [...Map.groupBy(found, ({ board }) => labelOf(board))].map(([board, differences]): Problem => ({
    check: "entries",
    game,
    board,
    detail: `${differences.length} differ from Postgres: ${shortList(differences)}`,
    repair: () => mend(stores, deps, game, differences),
  }));
}

async function mendFully(stores: Stores, deps: ToolDeps, game: string, name: string): Promise<void> {
  await mend(stores, deps, game, await compareFully(stores, game, name, () => undefined));
}

/** The first places as both stores would answer them. */
async function checkOrder(
  stores: Stores,
  deps: ToolDeps,
  game: string,
  name: string,
  looks = LOOKS,
): Promise<Problem[]> {
  const board = wholeBoard(name);
  const held = await deps.ranking.top(game, board, SHOWN, undefined);
  const wanted = await deps.history.top(game, board, SHOWN, undefined);
  if (!held || JSON.stringify(held.found.entries) === JSON.stringify(wanted.entries)) return [];
  if (looks > 1) return deps.sleep(LOOK_AGAIN_MS).then(() => checkOrder(stores, deps, game, name, looks - 1));
  const repair = () => mendFully(stores, deps, game, name);
  return [{ check: "order", game, board: name, detail: `the first ${SHOWN} places differ`, repair }];
}

/** Every key of a week expires; those of the all-time board never do. */
async function checkExpiry({ redis }: Stores, game: string, name: string): Promise<Problem[]> {
  const keys = boardsOf(name).map((board) => ({ label: labelOf(board), key: boardKey(game, board) }));
  if (name !== "all-time") {
    keys.push({ label: `${name} players`, key: playersKey(game, name) });
    keys.push({ label: `${name} players counted`, key: countedKey(game, name) });
  }
  const checked = keys.map(async ({ label, key }): Promise<Problem[]> => {
    const ttl = z.int().parse(await redis.command(["PTTL", key]));
    if (ttl === -2) return []; // no such key
    const wanted = name === "all-time" ? undefined : weekExpiry(name);
    const held = ttl === -1 ? undefined : Date.now() + ttl;
    if (held === wanted || Math.abs((held ?? 0) - (wanted ?? 0)) < EXPIRY_TOLERANCE_MS) return [];
    const command =
      wanted === undefined ? (["PERSIST", key] as const) : (["EXPIREAT", key, String(wanted / 1000)] as const);
    const detail = held === undefined ? "never expires" : `expires at ${new Date(held).toISOString()}`;
    return [{ check: "expiry", game, board: label, detail, repair: () => redis.command([...command]) }];
  });
  return (await Promise.all(checked)).flat();
}

async function checkEstimate(deps: ToolDeps, game: string, name: string): Promise<Problem[]> {
  if (name === "all-time") return [];
  const count = await deps.ranking.count(game, wholeBoard(name));
  if (!count) return [];
  const { estimate, ranked } = count.found;
  if (!estimatesTooFew(estimate, ranked)) return [];
  const repair = async () => {
    const moderated = await deps.bests.moderated(game);
    for await (const { fills } of pagesFrom(deps, game, [name], "")) await deps.filler.fill(game, moderated, fills);
  };
  return [{ check: "estimate", game, board: name, detail: `estimates ${estimate} players of ${ranked}`, repair }];
}

/** Whether a week's board or the all-time board is full. */
export const isClosed = ({ redis }: Stores, game: string, name: string): Promise<boolean> =>
  isFullBoard(redis, boardKey(game, wholeBoard(name)));

/** A week's board and its country boards, or the all-time board. */
export async function checkBoard(
  stores: Stores,
  deps: ToolDeps,
  game: string,
  name: string,
  full: boolean,
): Promise<Problem[]> {
  if (await isClosed(stores, game, name)) {
    const players = BOARD_PLAYERS.toLocaleString("en");
    const detail = `outgrew one key of Redis (about ${players} players on Upstash); Postgres answers for it (docs/scale.md)`;
    return [{ check: "full", game, board: name, detail, repair: undefined }];
  }
  return [
    ...(await checkEntries(stores, deps, game, name, full)),
    ...(await checkOrder(stores, deps, game, name)),
    ...(await checkExpiry(stores, game, name)),
    ...(await checkEstimate(deps, game, name)),
  ];
}
