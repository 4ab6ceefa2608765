/** The badges that one submission of `points` deserves, by the plain rule that awarding in SQL is compared with. */
import type { BadgeThreshold } from "../../functions/domain/badges.ts";

export const badgesFor = (points: number, thresholds: readonly BadgeThreshold[]): BadgeThreshold[] =>
  thresholds.filter(({ threshold }) => points >= threshold);
