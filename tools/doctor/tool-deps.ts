/** The service's own parts, over the tools' connections: what the tools mend, they mend as the service would. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createBadgeStore } from "../../functions/adapters/postgres/badges.ts";
import { createBestsPager } from "../../functions/adapters/postgres/bests.ts";
import { createHistory } from "../../functions/adapters/postgres/boards.ts";
import { createFactStore } from "../../functions/adapters/postgres/facts.ts";
import { createGameStore } from "../../functions/adapters/postgres/games.ts";
import { createModerationStore } from "../../functions/adapters/postgres/moderation.ts";
import { createReconciliationStore } from "../../functions/adapters/postgres/reconciliations.ts";
import { createBadgeQueue } from "../../functions/adapters/redis/badge-queue.ts";
import { createCorrector } from "../../functions/adapters/redis/corrector.ts";
import { createBoardFiller } from "../../functions/adapters/redis/filler.ts";
import { createInspector } from "../../functions/adapters/redis/inspector.ts";
import { createRanking } from "../../functions/adapters/redis/ranking.ts";
import type { Stores } from "./stores.ts";

/** Rooms are told by the next change or the next viewer: a tool does not know their secret. */
const QUIET_ROOMS = {
  pushTop: () => Promise.resolve(),
  pushBadges: () => Promise.resolve(),
  check: () => Promise.resolve(),
};

export function toolDeps({ postgres, redis }: Pick<Stores, "postgres" | "redis">) {
  const now = () => Date.now();
  return {
    history: createHistory(postgres),
    bests: createBestsPager(postgres),
    badges: createBadgeStore(postgres),
    games: createGameStore(postgres),
    moderation: createModerationStore(postgres),
    reconciliations: createReconciliationStore(postgres),
    ranking: createRanking(redis, Date.now),
    filler: createBoardFiller(redis, randomUUID, Date.now),
    facts: createFactStore(postgres),
    inspector: createInspector(redis, now),
    corrector: createCorrector(redis, now),
    queue: createBadgeQueue(redis),
    rooms: QUIET_ROOMS,
    clock: { now },
    subrequests: { left: () => Number.POSITIVE_INFINITY },
    background: {
      run: (_name: string, work: () => Promise<void>) => void work().catch(() => undefined),
      keep: (work: Promise<void>) => void work,
    },
    sleep: (ms: number) => sleep(ms),
  };
}

export type ToolDeps = ReturnType<typeof toolDeps>;
