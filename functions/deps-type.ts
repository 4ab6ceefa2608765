import type { FactStore, Inspector } from "./services/healing/inspection-ports.ts";
import type { Authenticated, Caller } from "./services/access/callers.ts";
import type { Corrector, ModerationStore, PlayerFiles } from "./services/moderation/ports.ts";
import type { Signatures } from "./services/access/signing.ts";
import type { Timings } from "./services/timings.ts";
import type { BoardReader } from "./services/boards/ports.ts";
import type { SubmissionStore, Ranking } from "./services/submit/ports.ts";
import type { BoardFiller, BestsPager, ReconciliationStore } from "./services/healing/ports.ts";
import type { GameStore, ActiveGames } from "./services/games/ports.ts";
import type { BadgeQueue, BadgeStore } from "./services/badges/ports.ts";
import type { Rooms } from "./services/live/ports.ts";
import type { EdgeLimits } from "./services/access/ports.ts";
import type { Vitals, StoreMarks } from "./services/operations/ports.ts";
import type { Clock, Subrequests, Background } from "./services/runtime.ts";

export type Deps = {
  /** The caller behind a bearer token, or what is wrong with it. */
  readonly authenticate: (token: string) => Promise<Authenticated>;
  /** Whose bearer token it is, as far as this isolate can tell without asking a store. */
  readonly recognise: (token: string) => Promise<Caller["kind"] | undefined>;
  /** Whether a bearer token is the secret that Worker and rooms share. It opens nothing; the limit by address does not count it. */
  readonly isRoom: (token: string) => Promise<boolean>;
  readonly edgeLimits: EdgeLimits;
  /** Undefined when the environment has no secret for it. */
  readonly signatures: Signatures | undefined;
  readonly moderation: ModerationStore;
  readonly playerFiles: PlayerFiles;
  readonly corrector: Corrector;
  readonly submissions: SubmissionStore;
  readonly history: BoardReader;
  readonly bests: BestsPager;
  readonly reconciliations: ReconciliationStore;
  readonly filler: BoardFiller;
  readonly facts: FactStore;
  readonly inspector: Inspector;
  readonly ranking: Ranking;
  readonly games: GameStore;
  readonly rooms: Rooms;
  /** Public address of the rooms. */
  readonly partyUrl: string;
  readonly active: ActiveGames;
  readonly storeMarks: StoreMarks;
  readonly queue: BadgeQueue;
  readonly badges: BadgeStore;
  /** The state of the service beyond one game. */
  readonly vitals: Vitals;
  /** Waits a moment for stores that did not answer lately; for jobs, since calls to them fail at once. Never throws. */
  readonly awaitStores: () => Promise<void>;
  readonly clock: Clock;
  /** How long the calls to the dependencies took so far. */
  readonly timings: Timings;
  readonly subrequests: Subrequests;
  readonly background: Background;
  readonly sleep: (ms: number) => Promise<void>;
};
