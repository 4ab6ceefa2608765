/** What a check finds, and how it is mended. */

export const CHECKS = [
  "library",
  "key",
  "look",
  "missing",
  "size",
  "full",
  "entries",
  "order",
  "expiry",
  "estimate",
  "group",
  "pending",
  "feed",
  "badges",
  "unseen",
] as const;

export type Check = (typeof CHECKS)[number];

export type Problem = {
  readonly check: Check;
  /** Undefined: of the whole installation. */
  readonly game: string | undefined;
  readonly board?: string;
  readonly detail: string;
  /** Mends it; undefined when only waiting or a person can. */
  readonly repair: (() => Promise<unknown>) | undefined;
};
