import { describe, expect, it } from "vitest";
import { BoardDefinition } from "../../functions/contract/board-definitions.ts";
import { compile } from "../../functions/domain/board/compiled.ts";
import { givenBy } from "../../functions/domain/board/folds.ts";
import {
  entryOf,
  entryText,
  expiryOf,
  givenTo,
  isKept,
  periodBoardOf,
} from "../../functions/domain/board/period-board.ts";
import { ENDLESS } from "../../functions/domain/board/rule.ts";

const DAY_MS = 86_400_000;
const STARTS_MS = Date.parse("2026-10-14T02:00:00Z");
const DAY = { startsAtMs: STARTS_MS, endsAtMs: STARTS_MS + DAY_MS, unitMs: 1 };

function boardOf(definition: Record<string, unknown>, bounds = DAY) {
  const rule = BoardDefinition.parse({ statistic: "lapMs", ...definition });
  const board = compile({
    board: "laps",
    name: "laps",
    revision: 1,
    rule,
    turns: [{ fromMs: null, schedule: rule.schedule }],
  });
  return periodBoardOf(board, "laps.2026-10-14", bounds);
}

describe("a board in one of its periods", () => {
  it.each([
    { aggregation: "best" },
    { aggregation: "best", order: "asc" },
    { aggregation: "last" },
    { aggregation: "sum" },
    { aggregation: "sum", order: "asc" },
    { aggregation: "sum", value: { min: -10, max: 10 } },
    { aggregation: "count" },
  ])("is given to Redis as its rule says: %o", (definition) => {
    const board = boardOf(definition);
    expect(givenTo(board)).toBe(givenBy(board.board));
  });

  it("is kept for its days of retention after its end, and for ever when it never ends", () => {
    const board = boardOf({ retentionDays: 2 });
    expect(expiryOf(board)).toBe(DAY.endsAtMs + 2 * DAY_MS);
    expect(isKept(board, DAY.endsAtMs + 2 * DAY_MS - 1)).toBe(true);
    expect(isKept(board, DAY.endsAtMs + 2 * DAY_MS)).toBe(false);
    const endless = boardOf({}, { ...ENDLESS, unitMs: 1_000 });
    expect(expiryOf(endless)).toBeUndefined();
    expect(isKept(endless, Number.MAX_SAFE_INTEGER)).toBe(true);
  });

  it("has scores that say strength and time, or the strength alone where the id decides", () => {
    const entry = { player: "ada", points: 1_234, achievedAtMs: STARTS_MS + 5_678 };
    const timed = boardOf({});
    expect(entryOf(timed, "ada", Number(entryText(timed, entry)))).toEqual(entry);
    const byId = boardOf({ tie: "id" });
    expect(entryOf(byId, "ada", Number(entryText(byId, entry)))).toEqual({ ...entry, achievedAtMs: STARTS_MS });
  });
});
