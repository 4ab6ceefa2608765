/** Places in weeks that Redis keeps no longer: a retry may come that late (an offline queue, an import that is run again). */
import { DependencyError } from "../../domain/errors.ts";
import { isKept } from "../../domain/board/week.ts";
import type { BoardRef } from "../../domain/board/board.ts";
import type { RecordedSubmission, Standing } from "./ports.ts";
import type { BoardPorts } from "../boards/ports.ts";
import type { Runtime } from "../runtime.ts";

/** Postgres counts who is ahead, which takes as long as the place is far down: of more of them in one call, none is looked up. */
const MOST_PLACED = 100;

async function placeOf(deps: BoardPorts, game: string, s: RecordedSubmission): Promise<Standing | undefined> {
  const rankOn = async (board: BoardRef) => (await deps.history.around(game, board, s.player, 0))?.firstRank;
  const [rank, countryRank, allTimeRank] = await Promise.all([
    rankOn({ kind: "week", week: s.week, country: undefined }),
    s.country === undefined ? undefined : rankOn({ kind: "week", week: s.week, country: s.country }),
    rankOn({ kind: "all-time" }),
  ]);
  // A moderator took the player off meanwhile.
  return rank === undefined || allTimeRank === undefined ? undefined : { rank, countryRank, allTimeRank };
}

/** The places of those submissions whose week Redis keeps no longer, as Postgres has them; none when Postgres is out. */
export async function pastPlaces(
  deps: BoardPorts & Pick<Runtime, "clock">,
  game: string,
  recorded: readonly RecordedSubmission[],
): Promise<ReadonlyMap<RecordedSubmission, Standing>> {
  const now = deps.clock.now();
  const past = recorded.filter(({ week }) => !isKept(week, now));
  if (past.length === 0 || past.length > MOST_PLACED) return new Map();
  try {
    const places = await Promise.all(past.map(async (s) => [s, await placeOf(deps, game, s)] as const));
    return new Map(places.flatMap(([s, standing]) => (standing === undefined ? [] : [[s, standing]])));
  } catch (error) {
    if (error instanceof DependencyError) return new Map();
    throw error;
  }
}
