import { describe, expect, it } from "vitest";
import { badgesFor, DEFAULT_BADGES } from "../../functions/domain/badges.ts";

const names = (points: number, thresholds = DEFAULT_BADGES) => badgesFor(points, thresholds).map(({ badge }) => badge);

describe("the badges of a submission", () => {
  it.each([
    [0, []],
    [999, []],
    [1_000, ["bronze"]],
    [4_999, ["bronze"]],
    [5_000, ["bronze", "silver"]],
    [9_999, ["bronze", "silver"]],
    [10_000, ["bronze", "silver", "gold"]],
    [8_589_934_591, ["bronze", "silver", "gold"]],
  ])("for %i points are %j", (points, expected) => {
    expect(names(points)).toEqual(expected);
  });

  it("follow a game's own thresholds, zero and none included", () => {
    expect(names(0, [{ badge: "here", threshold: 0 }])).toEqual(["here"]);
    expect(names(1_000_000, [])).toEqual([]);
  });
});
