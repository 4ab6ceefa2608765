/** Badges: once per player and game, for points reached in one submission. */

export type BadgeThreshold = { readonly badge: string; readonly threshold: number };

export const DEFAULT_BADGES: readonly BadgeThreshold[] = [
  { badge: "bronze", threshold: 1_000 },
  { badge: "silver", threshold: 5_000 },
  { badge: "gold", threshold: 10_000 },
];
