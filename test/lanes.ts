/** Lanes, the folders of test/. Those of one group run beside each other; those that load the stack or kill processes run alone. */
export const GROUPS: readonly (readonly string[])[] = [
  ["domain", "lua", "local", "room"],
  ["http", "model"],
  ["fuzz"],
  ["cron"],
  ["e2e", "deploy"],
  ["faults"],
];

export const LANES: readonly string[] = GROUPS.flat();
