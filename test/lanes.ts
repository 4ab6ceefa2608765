/** The lanes of the test run: folders of test/, in groups that follow each other; those of one group run beside each other. */

/** One stack serves all of these; each test uses a game of its own. */
const ON_THE_SHARED_STACK = ["http", "model", "cron", "fuzz", "e2e"];
/** They have stacks of their own: commands of deploy look at every game that a stack has, faults and local break its parts. */
const ON_OWN_STACKS = ["deploy", "faults", "local"];
/**
 * Each file in a process of its own: one measures the heap, and what the app remembers of many games crowds out the next
 * file's. Elsewhere a process runs file after file and loads modules once.
 */
const ISOLATED = ["domain", "cron"];

type Group = {
  readonly lanes: readonly string[];
  /** Files at a time: more than a machine's cores where files mostly wait. */
  readonly workers: number;
};

export const GROUPS: readonly Group[] = [
  { lanes: ["domain", "lua", "room", "local"], workers: 3 },
  { lanes: ["http", "model", "cron"], workers: 4 },
  { lanes: ["fuzz", "deploy"], workers: 3 },
  { lanes: ["faults"], workers: 3 },
  { lanes: ["e2e"], workers: 2 },
];

export const LANES: readonly string[] = GROUPS.flatMap(({ lanes }) => lanes);
export const isOnSharedStack = (lane: string): boolean => ON_THE_SHARED_STACK.includes(lane);
export const needsStacks = (lane: string): boolean => isOnSharedStack(lane) || ON_OWN_STACKS.includes(lane);
export const isIsolated = (lane: string): boolean => ISOLATED.includes(lane);
