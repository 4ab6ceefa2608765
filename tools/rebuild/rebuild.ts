/**
 * Brings one game's boards in Redis to what Postgres says. A game that Redis does not have is rebuilt as the service
 * would. One that it has stays up meanwhile: its boards are filled in place, and then compared entry by entry, since
 * filling leaves what is too high or too many.
 */
import type { Board } from "../../functions/domain/board/board.ts";
import { boardsAt } from "../../functions/domain/board/time.ts";
import { isKept } from "../../functions/domain/board/period-board.ts";
import { pagesFrom } from "../../functions/services/healing/pages.ts";
import { rebuildGame } from "../../functions/services/healing/rebuild.ts";
import { activityKey } from "../../functions/adapters/redis/keys.ts";
import { isClosed } from "../doctor/check-boards.ts";
import { compareFully } from "../doctor/compare.ts";
import { mend } from "../doctor/mend.ts";
import type { Stores } from "../doctor/stores.ts";
import type { ToolDeps } from "../doctor/tool-deps.ts";

export type Report = {
  /** Entries loaded from Postgres, country boards not counted again. */
  loaded(entries: number): void;
  compared(entries: number): void;
};

const LEASE_HELD_MS = 500;
const NEVER = Number.POSITIVE_INFINITY;

async function refill(stores: Stores, deps: ToolDeps, game: string, boards: readonly Board[], report: Report) {
  const moderated = await deps.bests.moderated(game);
  const nowMs = deps.clock.now();
  const defined =
    (await deps.bests.boards(game, []))?.defined.filter(({ periodBoard }) => isKept(periodBoard, nowMs)) ?? [];
  for await (const { fills, entries } of pagesFrom(deps, game, boards, defined, "")) {
    await deps.filler.fill(game, moderated, fills);
    report.loaded(entries);
  }
  let mended = 0;
  for (const board of boards) {
    if (await isClosed(stores, game, board)) continue;
    const found = await compareFully(stores, game, board, report.compared);
    await mend(stores, deps, game, found);
    mended += found.length;
  }
  return mended;
}

export type Rebuilt = { readonly how: "rebuilt" | "filled"; readonly mended: number };

/** Boards that were closed get another try, with the whole game: it may have room now. */
async function reopenClosed(stores: Stores, game: string, boards: readonly Board[]): Promise<void> {
  for (const board of boards) {
    if (await isClosed(stores, game, board)) await stores.redis.command(["DEL", activityKey(game)]);
  }
}

/** `board` limits it to one board of a game that Redis has. */
export async function rebuild(
  stores: Stores,
  deps: ToolDeps,
  game: string,
  board: Board | undefined,
  report: Report,
): Promise<Rebuilt> {
  await reopenClosed(stores, game, boardsAt(deps.clock.now()));
  for (;;) {
    const outcome = await rebuildGame(deps, game, NEVER, report.loaded);
    if (outcome === "opened") return { how: "rebuilt", mended: 0 };
    if (outcome === "ready") {
      const boards = board === undefined ? boardsAt(deps.clock.now()) : [board];
      return { how: "filled", mended: await refill(stores, deps, game, boards, report) };
    }
    if (outcome === "unknown") throw new Error(`there is no game "${game}"`);
    // A Worker holds the lease, or Redis was emptied again.
    await deps.sleep(LEASE_HELD_MS);
  }
}
