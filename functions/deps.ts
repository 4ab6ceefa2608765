/** Puts the adapters together: the one place that knows which implementation stands behind which port. */
import { authenticate, recognise } from "./adapters/auth/authenticate.ts";
import { equalSecrets } from "./adapters/auth/secrets.ts";
import { createSignatures } from "./adapters/auth/signatures.ts";
import { awaitAnswer, createBreakers, following, guarded, guardedRooms, type Breakers } from "./adapters/breakers.ts";
import { createEdgeLimits } from "./adapters/limits.ts";
import { createKeyFinder } from "./adapters/postgres/api-keys.ts";
import { createBadgeStore } from "./adapters/postgres/badges.ts";
import { createBestsPager } from "./adapters/postgres/bests.ts";
import { createHistory } from "./adapters/postgres/boards.ts";
import { createPostgres } from "./adapters/postgres/client.ts";
import { createDefinitionStore } from "./adapters/postgres/definitions.ts";
import { createEntryReader } from "./adapters/postgres/entries.ts";
import { createFactStore } from "./adapters/postgres/facts.ts";
import { createGameStore } from "./adapters/postgres/games.ts";
import { createModerationStore } from "./adapters/postgres/moderation.ts";
import { createPlayerFiles } from "./adapters/postgres/player-files.ts";
import { createReconciliationStore } from "./adapters/postgres/reconciliations.ts";
import { createSubmissionStore } from "./adapters/postgres/submissions.ts";
import { createActiveGames } from "./adapters/redis/active-games.ts";
import { createBadgeQueue } from "./adapters/redis/badge-queue.ts";
import { createDuePeriods } from "./adapters/redis/due-periods.ts";
import { createRedis } from "./adapters/redis/client.ts";
import { createCorrector } from "./adapters/redis/corrector.ts";
import { createBoardFiller } from "./adapters/redis/filler.ts";
import { createPeriodRanking } from "./adapters/redis/period-boards.ts";
import { createRanking } from "./adapters/redis/ranking.ts";
import { createInspector } from "./adapters/redis/inspector.ts";
import { createRooms } from "./adapters/rooms/rooms.ts";
import { createStoreMarks } from "./adapters/store-marks.ts";
import { createVitals } from "./adapters/vitals.ts";
import { SUBREQUESTS } from "./services/limits.ts";
import { createTimings } from "./services/timings.ts";
import type { Env } from "./env.ts";
import type { Background } from "./services/runtime.ts";
import type { Deps } from "./deps-type.ts";

/** Longest wait for an answer, milliseconds. An unsure write is a 503 (Postgres) or a 202 (Redis), never a guess. */
const DEADLINES = { postgres: 5_000, redis: 2_000, room: 2_000 };

/** For tests: another clock, patience on a machine that is busy with other tests, breakers of their own, a tighter limit. */
export type DepsOptions = {
  readonly now?: () => number;
  readonly deadlines?: Partial<typeof DEADLINES>;
  readonly breakers?: Breakers;
  /** What one run may send (services/limits.ts). */
  readonly subrequests?: number;
};

/** Plain values of this isolate, so sharing them between requests is safe. */
const BREAKERS = createBreakers();

/** Everything a request or job needs; built for each, since Workers must not share I/O objects between requests. */
export function createDeps(env: Env, library: string, background: Background, options: DepsOptions = {}): Deps {
  const now = options.now ?? (() => Date.now());
  const deadlines = { ...DEADLINES, ...options.deadlines };
  const mostSubrequests = options.subrequests ?? SUBREQUESTS;
  const timings = createTimings(() => performance.now());
  const breakers = options.breakers ?? BREAKERS;
  const neon = createPostgres({
    connectionString: env.DATABASE_URL,
    endpoint: env.NEON_SQL_ENDPOINT,
    deadlineMs: deadlines.postgres,
  });
  const postgres = timings.timed("postgres", guarded(neon, breakers.postgres, background));
  const pages = timings.timed("postgres", following(neon, breakers.postgres));
  const upstash = createRedis({
    url: env.UPSTASH_REDIS_REST_URL,
    token: env.UPSTASH_REDIS_REST_TOKEN,
    target: env.REDIS_TARGET,
    deadlineMs: deadlines.redis,
    library,
  });
  const redis = timings.timed("redis", guarded(upstash, breakers.redis, background));
  const rooms = createRooms({ url: env.PARTY_URL, secret: env.PARTY_PUSH_SECRET, deadlineMs: deadlines.room });
  const serverKeys = { environmentKey: env.SERVER_KEY, find: createKeyFinder(postgres), now };
  const vitals = createVitals({
    postgres,
    redis,
    library,
    serverKey: env.SERVER_KEY,
    metricsToken: env.METRICS_TOKEN,
    givenUp: (store) => breakers[store].open,
  });
  return {
    authenticate: (token) => authenticate(token, serverKeys, env.playerTokens),
    recognise: (token) => recognise(token, serverKeys, env.playerTokens),
    isRoom: (token) => equalSecrets(token, env.PARTY_PUSH_SECRET),
    edgeLimits: createEdgeLimits({ players: env.PLAYER_LIMIT, addresses: env.ADDRESS_LIMIT }),
    signatures: env.SIGNING_SECRET === undefined ? undefined : createSignatures(env.SIGNING_SECRET),
    moderation: createModerationStore(postgres),
    correctionPages: createModerationStore(pages),
    playerFiles: createPlayerFiles(pages),
    corrector: createCorrector(redis, now),
    partyUrl: env.PARTY_URL,
    submissions: createSubmissionStore(postgres),
    history: createHistory(postgres),
    bests: createBestsPager(pages),
    reconciliations: createReconciliationStore(pages),
    games: createGameStore(postgres),
    definitions: createDefinitionStore(postgres),
    definitionPages: createDefinitionStore(pages),
    periodHistory: createEntryReader(postgres),
    due: createDuePeriods(redis, now),
    ranking: createRanking(redis, now),
    periodRanking: createPeriodRanking(redis),
    filler: createBoardFiller(redis, () => crypto.randomUUID(), now),
    facts: createFactStore(postgres),
    inspector: createInspector(redis, now),
    active: createActiveGames(redis, now),
    storeMarks: createStoreMarks(postgres, redis),
    queue: createBadgeQueue(redis),
    badges: createBadgeStore(pages),
    rooms: timings.timed("room", guardedRooms(rooms, breakers, background)),
    vitals,
    async awaitStores() {
      await awaitAnswer(breakers.redis, () => vitals.redisRelease());
      await awaitAnswer(breakers.postgres, () => vitals.postgres());
    },
    clock: { now },
    timings,
    subrequests: { left: () => mostSubrequests - timings.calls() },
    background,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}
