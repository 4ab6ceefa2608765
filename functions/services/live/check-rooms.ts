/** Tells rooms that their board has something that no push brought: players behind the first ten, or what Redis lacks. */
import { DependencyError } from "../../domain/errors.ts";
import { currentBoard } from "../../domain/board/time.ts";
import type { RecordedSubmission } from "../submit/ports.ts";
import { createMemory } from "../memory.ts";
import type { Runtime } from "../runtime.ts";
import type { LivePorts } from "./ports.ts";

/** An isolate tells a room this often at most. */
const GATHER_MS = 1_000;
/** A background that was ended early must not keep the next one from starting. */
const GIVEN_UP_MS = 5_000;

type Waiting = { boardSize: number | undefined; readonly until: number };
const waiting = createMemory<Waiting>();

type CheckDeps = LivePorts & Pick<Runtime, "clock" | "background" | "sleep">;

function checkSoon(deps: CheckDeps, game: string, boardSize: number | undefined): void {
  const now = deps.clock.now();
  const before = waiting.get(game);
  if (before && before.until > now) {
    before.boardSize =
      before.boardSize === undefined || boardSize === undefined ? undefined : Math.max(before.boardSize, boardSize);
    return;
  }
  waiting.set(game, { boardSize, until: now + GIVEN_UP_MS });
  deps.background.run("check-room", async () => {
    await deps.sleep(GATHER_MS);
    const told = waiting.get(game)?.boardSize;
    waiting.delete(game);
    await deps.rooms.check(game, currentBoard(deps.clock.now()).name, told);
  });
}

/** After submissions: a player who is new on the week's board makes it larger, and what Redis did not take is not pushed. */
export function checkAfter(
  deps: CheckDeps,
  game: string,
  recorded: readonly RecordedSubmission[],
  pushed: readonly string[] | undefined,
): void {
  const week = currentBoard(deps.clock.now()).name;
  const raised = recorded.filter((s) => s.week === week && s.thisWeek.raised);
  if (!pushed && raised.length > 0) checkSoon(deps, game, undefined);
  const sizes = raised.flatMap((s) => (s.thisWeek.previous === undefined ? [s.boardSize] : []));
  // A push brings the size along.
  if (pushed && !pushed.includes(week) && sizes.length > 0) checkSoon(deps, game, Math.max(...sizes));
}

/** Around the end of a week its viewers are still there. */
const LATE_MS = 300_000;

/** For a tick: the last push of a busy game may not have arrived. False when a room could not be told. */
export async function checkRooms(deps: LivePorts & Pick<Runtime, "clock">, game: string): Promise<boolean> {
  const now = deps.clock.now();
  try {
    for (const week of new Set([now, now - LATE_MS].map((ms) => currentBoard(ms).name)))
      await deps.rooms.check(game, week, undefined);
    return true;
  } catch (error) {
    // A room that refuses is there, and an operator has to look at the secrets; another tick would not help.
    if (error instanceof DependencyError) return error.kind === "refused";
    throw error;
  }
}
