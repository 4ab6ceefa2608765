/** Badges: once per player and game, for points reached in one submission. */

export type BadgeThreshold = { readonly badge: string; readonly threshold: number };

export const DEFAULT_BADGES: readonly BadgeThreshold[] = [
  { badge: "bronze", threshold: 1_000 },
  { badge: "silver", threshold: 5_000 },
  { badge: "gold", threshold: 10_000 },
];

/** The badges that one submission of `points` deserves. */
export function badgesFor(points: number, thresholds: readonly BadgeThreshold[]): BadgeThreshold[] {
  return thresholds.filter(({ threshold }) => points >= threshold);
}
