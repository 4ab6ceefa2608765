/** Reads of a game's feed. */
import type { FeedResponse } from "../../contract/feed.ts";
import { currentBoard } from "../../domain/board/time.ts";
import { requireGame } from "../games/games.ts";
import { boardOfEveryGame } from "./board-to-read.ts";
import type { BoardPorts, Sourced } from "./ports.ts";
import { read, type ReadDeps } from "./reading.ts";

/** A page of the feed's newest events; what the feed lacks is looked for on the occasion of a week's board. */
export async function readFeed(
  deps: BoardPorts & ReadDeps,
  game: string,
  n: number,
  cursor: string | undefined,
): Promise<Sourced<FeedResponse>> {
  const answer = await read(
    deps,
    game,
    { of: boardOfEveryGame(deps, currentBoard(deps.clock.now())), sightOf: () => undefined },
    () => deps.ranking.feed(game, n, cursor),
    () => deps.history.feed(game, n, cursor),
  );
  if (answer.body.events.length === 0) await requireGame(deps, game);
  return answer;
}
