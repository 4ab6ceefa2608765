/** `npm run rebuild`: brings boards in Redis to what Postgres says, while the service goes on. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Board } from "../../functions/domain/board/board.ts";
import { boardsAt, isOnRedis } from "../../functions/domain/board/time.ts";
import { checkKeys } from "../doctor/check-keys.ts";
import { gamesOf, requireStores } from "../doctor/examine.ts";
import { openStores, type Stores } from "../doctor/stores.ts";
import { toolDeps } from "../doctor/tool-deps.ts";
import { parseStackEnvironment } from "../../local/env.ts";
import { reasonOf } from "../../local/failure.ts";
import { startProgress } from "../../local/progress.ts";
import { runTool } from "../command-line.ts";
import { parseOptions, USAGE, type Options } from "./options.ts";
import { rebuild } from "./rebuild.ts";

async function entriesOf({ postgres }: Stores, game: string, boards: readonly Board[]): Promise<number> {
  const [row] = await postgres.query(
    z.object({ entries: z.string() }),
    sql`select count(*) as entries from bests b where b.game = ${game}
      and b.board in (select json_array_elements_text(${JSON.stringify(boards.map(({ name }) => name))}::json))`,
  );
  return Number(row?.entries ?? 0);
}

async function rebuildOne(stores: Stores, game: string, board: Board | undefined): Promise<void> {
  const deps = toolDeps(stores);
  const total = await entriesOf(stores, game, board === undefined ? boardsAt(Date.now()) : [board]);
  const startedAt = Date.now();
  const loading = startProgress(`loading ${game}`, total);
  let loaded = 0;
  let loadedMs = 0;
  let compared = 0;
  let comparing: ReturnType<typeof startProgress> | undefined;
  const endLoading = () => {
    if (loadedMs > 0) return;
    loadedMs = Math.max(1, Date.now() - startedAt);
    loading.end();
  };
  const { how, mended } = await rebuild(stores, deps, game, board, {
    loaded: (entries) => loading.update((loaded += entries)),
    compared(entries) {
      endLoading();
      comparing ??= startProgress(`comparing ${game}`, total);
      comparing.update((compared += entries));
    },
  });
  endLoading();
  comparing?.end();
  const rate = Math.round((loaded / loadedMs) * 1000).toLocaleString("en");
  const verdict = how === "rebuilt" ? "" : `, ${mended.toLocaleString("en")} entries mended`;
  console.log(`${game}: ${how} ${loaded.toLocaleString("en")} entries, ${rate} a second${verdict}`);
}

/** A damaged key would end the rebuild of its game; what it should hold is about to be written anyway. */
async function dropDamaged(stores: Stores, game: string): Promise<void> {
  for (const { detail, repair } of await checkKeys(stores, toolDeps(stores), game)) {
    console.log(`${game}: ${detail}: removed`);
    await repair?.();
  }
}

async function run({ game, board }: Options): Promise<number> {
  if (board && !isOnRedis(board, Date.now()))
    throw new Error(`Redis keeps ${board.name} no longer; its history is read from Postgres`);
  const stores = await openStores(process.env, parseStackEnvironment(process.env).dataDir, {
    writes: true,
    say: (line) => console.error(line),
  });
  try {
    let failed = 0;
    for (const one of await gamesOf(stores, game)) {
      try {
        await dropDamaged(stores, one);
        await rebuildOne(stores, one, board);
      } catch (error) {
        await requireStores(stores);
        failed += 1;
        console.error(`${one}: not rebuilt: ${reasonOf(error)}`);
      }
    }
    return failed === 0 ? 0 : 1;
  } finally {
    await stores.close();
  }
}

await runTool({ usage: USAGE, parse: parseOptions, run });
