/** What the platforms refuse: for the service, which keeps clear of it, and for the local endpoints, which refuse it too. */

/** Upstash, pay as you go: https://upstash.com/docs/redis/overall/pricing and its pages on troubleshooting. */
export const UPSTASH_LIMITS = {
  /** Of one key with all that it holds ("record"); commands that would grow it further are refused. */
  keyBytes: 100 * 1024 * 1024,
  keyNameBytes: 32 * 1024,
  /** Of one consumer of a stream's group; XREADGROUP is refused when it could get more. */
  pendingPerConsumer: 1_000,
  requestBytes: 10 * 1024 * 1024,
  /** More are delayed, not refused. */
  commandsPerSecond: 10_000,
} as const;

/** Neon over HTTP, each for a request and for its answer: https://neon.com/docs/serverless/serverless-driver */
export const NEON_LIMITS = { bytes: 10 * 1024 * 1024 } as const;

/** Players that a board of one key holds: about 142 bytes each, their ids and what a sorted set keeps beside them. */
export const BOARD_PLAYERS = 700_000;

/** Feed entries that no trimming may cost the badge group before this many are there: at some 200 bytes each they fit one key. */
export const FEED_HARD_CAP = 400_000;
