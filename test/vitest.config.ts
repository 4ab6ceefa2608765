import { defineConfig } from "vitest/config";
import "../local/process/with-parent.mjs";

/** Lanes that talk to one shared stack, started once for all of them; each test uses a game of its own. */
const SHARED_STACK_LANES = ["http", "model", "fuzz", "cron", "e2e", "deploy"];
/** Lanes without a stack, or with stacks of their own. */
const OTHER_LANES = ["domain", "lua", "local", "room", "faults"];

const lane = (name: string) => ({
  name,
  include: [`test/${name}/**/*.test.ts`],
  setupFiles: ["test/harness/with-vitest.ts"],
  // Far above what any test takes: a busy machine is no reason to fail.
  testTimeout: 180_000,
  hookTimeout: 180_000,
});

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    maxWorkers: 2,
    projects: [
      ...OTHER_LANES.map((name) => ({ test: lane(name) })),
      ...SHARED_STACK_LANES.map((name) => ({ test: { ...lane(name), globalSetup: ["test/harness/shared-stack.ts"] } })),
    ],
  },
});
