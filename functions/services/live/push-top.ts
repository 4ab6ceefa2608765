/** Sends a week's newest top 10 to its room; called by the request that holds the push lease. */
import type { TopMessage } from "../../contract/live.ts";
import { DependencyError } from "../../domain/errors.ts";
import { boardOf } from "../../domain/board/board.ts";
import { isOnRedis, resetsAt } from "../../domain/board/time.ts";
import { toEntries } from "../boards/entries.ts";
import { shardsOf } from "./shards.ts";
import type { GamePorts } from "../games/ports.ts";
import type { Runtime } from "../runtime.ts";
import type { SubmitPorts } from "../submit/ports.ts";
import type { LivePorts } from "./ports.ts";

/** The lease is held this long, so that at most about twenty pushes a second reach a room. */
export const COALESCE_MS = 50;

/**
 * Tries to reach Redis and then the room, each after a longer pause than the one before; a push that came twice is dropped
 * there. What gets lost all the same, the room asks for: a tick tells it to (`check`).
 */
const ATTEMPTS = 3;
const PAUSE_MS = 100;

export type PushDeps = Pick<SubmitPorts, "ranking"> &
  LivePorts &
  Pick<GamePorts, "games"> &
  Pick<Runtime, "clock" | "sleep">;

/** Waits for more changes, then ends the lease, reads the newest top 10 in the same step, and pushes that. */
export async function pushTop(deps: PushDeps, game: string, week: string): Promise<void> {
  const board = boardOf(week);
  if (!isOnRedis(board, deps.clock.now())) return;
  await deps.sleep(COALESCE_MS);
  // Its answer may be lost, and with it the lease: asking again reads the newest board, too.
  const page = await attempted(deps, () => deps.ranking.takePush(game, week));
  if (!page) return;
  const message: TopMessage = {
    type: "top",
    game,
    week,
    version: page.version,
    boardSize: page.boardSize,
    entries: toEntries(page),
    resetsAt: resetsAt(board),
  };
  const shards = await shardsOf(deps, game);
  await attempted(deps, () => deps.rooms.pushTop(shards === 1 ? message : { ...message, shards }));
}

async function attempted<T>(deps: Pick<Runtime, "sleep">, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DependencyError) || attempt === ATTEMPTS) throw error;
      await deps.sleep(PAUSE_MS * attempt * (0.5 + Math.random()));
    }
  }
}
