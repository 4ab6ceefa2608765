/** All that routes and jobs hand on to services, which name the parts they use. Made in deps.ts. */
import type { AccessPorts } from "./services/access/ports.ts";
import type { BadgePorts } from "./services/badges/ports.ts";
import type { BoardPorts } from "./services/boards/ports.ts";
import type { DefinitionPorts } from "./services/definitions/ports.ts";
import type { GamePorts } from "./services/games/ports.ts";
import type { HealingPorts } from "./services/healing/ports.ts";
import type { LivePorts } from "./services/live/ports.ts";
import type { ModerationPorts } from "./services/moderation/ports.ts";
import type { OperationsPorts } from "./services/operations/ports.ts";
import type { Runtime } from "./services/runtime.ts";
import type { SubmitPorts } from "./services/submit/ports.ts";
import type { Timings } from "./services/timings.ts";

export type Deps = Runtime &
  AccessPorts &
  BadgePorts &
  BoardPorts &
  DefinitionPorts &
  GamePorts &
  HealingPorts &
  LivePorts &
  ModerationPorts &
  OperationsPorts &
  SubmitPorts & {
    /** Public address of the rooms. */
    readonly partyUrl: string;
    /** How long the calls to the dependencies took so far. */
    readonly timings: Timings;
    /** Waits a moment for stores that did not answer lately; for jobs, since calls to them fail at once. Never throws. */
    readonly awaitStores: () => Promise<void>;
  };
