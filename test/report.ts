/** What vitest reports of a run. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const SLOWEST = 10;

const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), duration: z.number().nullish() })),
    }),
  ),
});
export type Report = z.infer<typeof Report>;

/** Undefined when vitest ended without one. */
export function readReport(file: string): Report | undefined {
  try {
    return Report.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

/** A line each for the slowest tests, the slowest first. */
export function slowestTests({ testResults }: Report, root: string): string[] {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: path.relative(root, name),
      fullName,
      ms: duration ?? 0,
    })),
  );
  if (tests.length <= SLOWEST) return [];
  return [
    `the slowest ${SLOWEST} of ${tests.length} tests:`,
    ...tests
      .sort((a, b) => b.ms - a.ms)
      .slice(0, SLOWEST)
      .map(({ file, fullName, ms }) => `${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}: ${fullName}`),
  ];
}
