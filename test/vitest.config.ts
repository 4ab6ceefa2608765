import { defineConfig } from "vitest/config";
import "../local/process/with-parent.mjs";
import { GROUPS, isIsolated } from "./lanes.ts";

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    globalSetup: ["test/harness/shared-stack.ts"],
    // What the app logs in a test's own process is of interest where the test fails.
    silent: "passed-only",
    projects: GROUPS.flatMap(({ lanes, workers }, group) =>
      lanes.map((name) => ({
        test: {
          name,
          include: [`test/${name}/**/*.test.ts`],
          setupFiles: ["test/harness/with-vitest.ts"],
          // Far above what any test takes: a busy machine is no reason to fail.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          maxWorkers: workers,
          isolate: isIsolated(name),
          sequence: { groupOrder: group },
        },
      })),
    ),
  },
});
