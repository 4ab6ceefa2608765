/** Reads of boards that games defined, over lua/src/defined: builds KEYS and ARGV. */
import { timeBitsOf } from "../../domain/board/packing.ts";
import { entryText, givenTo, type Part, type PeriodBoard } from "../../domain/board/period-board.ts";
import type { LiveReadsOf, PageReader, PeriodPart } from "../../services/boards/ports.ts";
import type { RedisClient } from "./client.ts";
import { activityKey, changesKey, moderatedKey, periodBoardKey } from "./keys.ts";
import { parsePeriodPage } from "./period-pages.ts";

/** KEYS 1 to 5 of lb_range_v3; those of lb_push_v3 begin with them. */
function keysOf(game: string, board: PeriodBoard, part: Part | undefined): string[] {
  const whole = periodBoardKey(game, board.key);
  const versioned = givenTo(board) === "newer" ? changesKey(game, board.key) : whole;
  return [activityKey(game), periodBoardKey(game, board.key, part), moderatedKey(game), whole, versioned];
}

/** How Redis takes the board's entries, and the bits of the time in their scores: ARGV 1 and 2. */
const headOf = (board: PeriodBoard): string[] => [
  givenTo(board) === "newer" ? "n" : "r",
  String(timeBitsOf(board.packing.split)),
];

export function createPeriodRanking(redis: RedisClient): LiveReadsOf<PageReader<PeriodPart>> {
  async function range(game: string, { board, part }: PeriodPart, which: readonly string[]) {
    const reply = await redis.read("lb_range_v3", keysOf(game, board, part), [...headOf(board), ...which]);
    const page = parsePeriodPage(board, reply);
    return page && { found: page };
  }

  return {
    top(game, board, n, cursor) {
      const after = cursor ? [entryText(board.board, cursor), cursor.player] : [];
      return range(game, board, ["top", String(n), ...after]);
    },

    around: (game, board, player, k) => range(game, board, ["around", String(k), player]),

    async count(game, board) {
      const page = await range(game, board, ["top", "1"]);
      return page && { found: { estimate: page.found.boardSize, ranked: page.found.boardSize } };
    },
  };
}
