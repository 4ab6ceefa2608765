/**
 * Runs the static checks and every lane, one group after the other, and closes with `N passed, N failed`.
 * `node test/run.ts http model` runs only these lanes; `--long` adds the long runs, `--shuffle` takes tests in a random order.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { ensureChromium } from "./harness/chromium.ts";

const root = path.resolve(import.meta.dirname, "..");
const bin = path.join(root, "node_modules", ".bin");

/** Lanes of one group run beside each other; those that load the stack or kill processes run alone. */
const GROUPS = [
  ["domain", "lua", "local", "room"],
  ["http", "model"],
  ["fuzz"],
  ["cron"],
  ["e2e", "deploy"],
  ["faults"],
];

const VITEST = path.join(root, "node_modules", "vitest", "vitest.mjs");
const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  success: z.boolean(),
});

const options = process.argv.slice(2);
const long = options.includes("--long");
const shuffle = options.includes("--shuffle");
const wanted = options.filter((option) => !option.startsWith("--"));

const env = { ...process.env, PATH: `${bin}:${process.env["PATH"] ?? ""}`, TZ: process.env["TZ"] ?? "UTC" };

function run(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...env, ...more },
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

async function runGroup(lanes: readonly string[], reportFile: string) {
  const projects = lanes.flatMap((lane) => ["--project", lane]);
  const args = [VITEST, "run", "--config", "test/vitest.config.ts", ...projects, "--passWithNoTests"];
  // It prints the seed, and VITEST's own `--sequence.seed` repeats it.
  if (shuffle) args.push("--sequence.shuffle");
  const code = await run(
    process.execPath,
    [...args, "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`],
    long ? { EDGEBOARD_LONG: "1" } : {},
  );
  try {
    const report = Report.parse(JSON.parse(readFileSync(reportFile, "utf8")));
    // A skipped test proves nothing, and a suite that broke before its tests counts as one that failed.
    const failed = report.numFailedTests + report.numPendingTests;
    return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

const reports = mkdtempSync(path.join(tmpdir(), "edgeboard-reports-"));
let passed = 0;
let failed = 0;

if (wanted.length === 0) {
  const ok = (await run("npm", ["run", "--silent", "verify"])) === 0;
  console.log(ok ? "verify: clean" : "verify: FAILED");
  if (ok) passed += 1;
  else failed += 1;
}
for (const [i, group] of GROUPS.entries()) {
  const lanes = wanted.length === 0 ? group : group.filter((lane) => wanted.includes(lane));
  if (lanes.length === 0) continue;
  if (lanes.includes("e2e")) await ensureChromium();
  console.log(`\n— lanes ${i + 1} of ${GROUPS.length}: ${lanes.join(", ")}`);
  const result = await runGroup(lanes, path.join(reports, `${i}.json`));
  passed += result.passed;
  failed += result.failed;
}
rmSync(reports, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
