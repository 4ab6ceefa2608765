/**
 * Looks after every busy game, as far as time and subrequests go. What they do not suffice for is the next tick's, which
 * begins where this one ended.
 */
import type { BusyGames } from "../services/games/active-games.ts";
import type { Deps } from "../deps-type.ts";
import type { Mark } from "../services/games/ports.ts";
import { log } from "../log.ts";
import { Budget } from "./budget.ts";
import { lookAfter, reported, type Counts } from "./look-after.ts";

/** Games that are looked after at once: a Worker has six connections, and each game uses one at a time. */
const AT_ONCE = 4;
/** After so many games the tick takes out of the list what is done, and notes how far it is: it may be ended early. */
const NOTED_EVERY = 50;

/** The games as a ring, from where the last tick ended: no game's turn comes twice before every game's came once. */
async function inTurn(deps: Deps, marks: readonly Mark[]): Promise<Mark[]> {
  if (marks.length <= AT_ONCE) return [...marks];
  const next = await deps.active.next().catch((error: unknown) => reported("next", undefined, error));
  const ring = [...marks].sort((a, b) => (a.game < b.game ? -1 : 1));
  const found = next === undefined ? -1 : ring.findIndex(({ game }) => game >= next);
  const from = Math.max(0, found);
  return [...ring.slice(from), ...ring.slice(0, from)];
}

/** One run; a game that fails does not keep the others from being looked after. */
export async function lookAfterBusyGames(deps: Deps, deadlineMs: number, list: Promise<BusyGames>): Promise<Counts> {
  const { marks, woken, foreign } = await list;
  const counts: Counts = { busy: marks.length, woken };
  if (foreign) {
    const reason =
      "this Redis belongs to another deployment: see Stores that do not belong together in docs/operations.md";
    log("error", "job", { job: "busy-games", step: "store-marks", outcome: "failed", reason });
  }
  const add = (more: Counts) => {
    for (const [name, value] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + value;
  };
  const budget = new Budget(deps, deadlineMs, AT_ONCE);
  const waiting = await inTurn(deps, marks);
  let [done, looked]: [Mark[], number] = [[], 0];
  const noteProgress = async () => {
    const [some, next] = [done, waiting[0]];
    done = [];
    if (some.length > 0) await deps.active.release(some);
    add({ idle: some.length });
    if (next) await deps.active.goOnWith(next.game);
  };
  const worker = async () => {
    while (budget.allowsAnother()) {
      const mark = waiting.shift();
      if (mark === undefined) return;
      try {
        const look = (limited: Deps, untilMs: number) => lookAfter(limited, mark, untilMs, add);
        if (await budget.share(waiting.length + 1, look)) done.push(mark);
        looked += 1;
        if (looked % NOTED_EVERY === 0) await noteProgress();
      } catch (error) {
        add({ failed: 1 });
        reported("look-after", mark.game, error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await noteProgress();
  return { ...counts, left: waiting.length };
}
