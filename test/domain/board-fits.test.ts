/** Every board that there is holds every moment of its period: a kind whose period outgrows the bits of its time shows here. */
import { describe, expect, it } from "vitest";
import { packScore, rangeOf, MAX_POINTS } from "../../functions/domain/board/score.ts";
import { boardsAt, holds } from "../../functions/domain/board/time.ts";

const NOW_MS = Date.UTC(2026, 9, 14, 12);

describe.each(boardsAt(NOW_MS).map((board) => ({ board, name: board.name })))("the board $name", ({ board }) => {
  const { firstMs, lastMs } = rangeOf(board);
  const score = (points: number, achievedAtMs: number) => packScore(board, { points, achievedAtMs });

  it.each([1, 1_000, MAX_POINTS])("ranks %i points over one less, however late they came", (points) => {
    expect(score(points, lastMs)).toBeGreaterThan(score(points - 1, firstMs));
  });

  it.each([0, 1_000, MAX_POINTS])(
    "ranks the earlier of two with %i points higher, from its first second to its last",
    (points) => {
      const seconds = [firstMs, firstMs + 1_000, lastMs - 1_000, lastMs].map((ms) => score(points, ms));
      expect(seconds).toEqual(seconds.toSorted((a, b) => b - a));
      expect(new Set(seconds).size).toBe(seconds.length);
    },
  );

  it("holds its first and its last second", () => {
    expect([holds(board, firstMs), holds(board, lastMs)]).toEqual([true, true]);
  });
});
