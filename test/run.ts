/** `npm test`: the static checks and every lane, one group after the other; or only what is asked for. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { runTool } from "../tools/command-line.ts";
import { ensureChromium } from "./harness/chromium.ts";
import { GROUPS } from "./lanes.ts";
import { parseOptions, USAGE, type RunOptions } from "./run-options.ts";

const root = path.resolve(import.meta.dirname, "..");
const bin = path.join(root, "node_modules", ".bin");

const VITEST = path.join(root, "node_modules", "vitest", "vitest.mjs");
const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  success: z.boolean(),
});
type Result = { readonly passed: number; readonly failed: number };

const env = { ...process.env, PATH: `${bin}:${process.env["PATH"] ?? ""}`, TZ: process.env["TZ"] ?? "UTC" };

function run(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...env, ...more },
      // The channel tells vitest (its configuration listens) when this process was killed.
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

async function verify(): Promise<Result> {
  const ok = (await run("npm", ["run", "--silent", "verify"])) === 0;
  console.log(ok ? "verify: clean" : "verify: FAILED");
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function runGroup(lanes: readonly string[], reportFile: string, options: RunOptions): Promise<Result> {
  const { name, long, shuffle, only } = options;
  const args = [VITEST, "run", "--config", "test/vitest.config.ts", ...lanes.flatMap((lane) => ["--project", lane])];
  // It prints the seed, and VITEST's own `--sequence.seed` repeats it.
  if (shuffle) args.push("--sequence.shuffle");
  if (name !== undefined) args.push("--testNamePattern", name);
  args.push(...(only ?? []).filter(({ lane }) => lanes.includes(lane)).flatMap(({ filters }) => filters));
  const code = await run(
    process.execPath,
    [...args, "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`],
    long ? { EDGEBOARD_LONG: "1" } : {},
  );
  try {
    const report = Report.parse(JSON.parse(readFileSync(reportFile, "utf8")));
    // A skipped test proves nothing, unless it was left out by its name; a suite that broke before its tests counts as
    // one that failed.
    const failed = report.numFailedTests + (name === undefined ? report.numPendingTests : 0);
    const passed = report.numPassedTests;
    const nothing = passed === 0 && name === undefined;
    return { passed, failed: failed === 0 && (code !== 0 || nothing) ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

async function runAll(options: RunOptions): Promise<number> {
  const { only } = options;
  const results: Result[] = only === undefined && options.name === undefined ? [await verify()] : [];
  const reports = mkdtempSync(path.join(tmpdir(), "edgeboard-reports-"));
  try {
    for (const [i, group] of GROUPS.entries()) {
      const lanes = only === undefined ? group : group.filter((one) => only.some(({ lane }) => lane === one));
      if (lanes.length === 0) continue;
      if (lanes.includes("e2e")) await ensureChromium();
      console.log(`\n— lanes ${i + 1} of ${GROUPS.length}: ${lanes.join(", ")}`);
      results.push(await runGroup(lanes, path.join(reports, `${i}.json`), options));
    }
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
  const sum = (of: (result: Result) => number) => results.reduce((total, result) => total + of(result), 0);
  const passed = sum((result) => result.passed);
  const failed = sum((result) => result.failed);
  if (passed + failed === 0) console.log(`no test has a name like "${options.name}"`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

await runTool({ usage: USAGE, parse: (args) => parseOptions(root, args), run: runAll });
