/** `npm test`: the static checks beside every lane; or only what is asked for. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runTool } from "../tools/command-line.ts";
import { ensureChromium } from "./harness/chromium.ts";
import { LANES } from "./lanes.ts";
import { readReport, slowestTests } from "./report.ts";
import { parseOptions, USAGE, type RunOptions } from "./run-options.ts";

const root = path.resolve(import.meta.dirname, "..");
const bin = path.join(root, "node_modules", ".bin");

const VITEST = path.join(root, "node_modules", "vitest", "vitest.mjs");
type Result = { readonly passed: number; readonly failed: number };

const env = {
  ...process.env,
  PATH: `${bin}:${process.env["PATH"] ?? ""}`,
  TZ: process.env["TZ"] ?? "UTC",
  // Hundreds of processes of Node read the same modules.
  NODE_COMPILE_CACHE: path.join(root, "node_modules", ".cache", "edgeboard", "compiled"),
};

type Running = {
  readonly env?: Readonly<Record<string, string>>;
  /** Takes what it prints; else it prints itself. */
  readonly hear?: (text: string) => void;
};

function run(command: string, args: readonly string[], { env: more = {}, hear }: Running): Promise<number> {
  return new Promise((resolve) => {
    const output = hear === undefined ? "inherit" : "pipe";
    const child = spawn(command, args, {
      cwd: root,
      env: { ...env, ...more },
      // The channel tells vitest (its configuration listens) when this process was killed.
      stdio: ["ignore", output, output, "ipc"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text) => hear?.(String(text)));
    child.once("error", () => resolve(1));
    child.once("close", (code) => resolve(code ?? 1));
  });
}

/** What it prints comes in one piece, so that the tests may run beside it. */
async function verify(): Promise<Result> {
  const said: string[] = [];
  const code = await run("npm", ["run", "--silent", "verify"], { hear: (text) => said.push(text) });
  const ok = code === 0;
  console.log(ok ? "verify: clean" : `${said.join("")}\nverify: FAILED`);
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function test(lanes: readonly string[], options: RunOptions): Promise<Result> {
  const { name, long, shuffle, only } = options;
  const args = [VITEST, "run", "--config", "test/vitest.config.ts", ...lanes.flatMap((lane) => ["--project", lane])];
  // It prints the seed, and VITEST's own `--sequence.seed` repeats it.
  if (shuffle) args.push("--sequence.shuffle");
  if (name !== undefined) args.push("--testNamePattern", name);
  args.push(...(only ?? []).flatMap(({ filters }) => filters));
  const folder = mkdtempSync(path.join(tmpdir(), "edgeboard-report-"));
  const file = path.join(folder, "report.json");
  try {
    const code = await run(
      process.execPath,
      [...args, "--reporter=default", "--reporter=json", `--outputFile.json=${file}`],
      { env: long ? { EDGEBOARD_LONG: "1" } : {} },
    );
    const report = readReport(file);
    if (report === undefined) return { passed: 0, failed: 1 };
    for (const line of slowestTests(report, root)) console.log(line);
    // A skipped test proves nothing, unless it was left out by its name; a suite that broke before its tests counts as
    // one that failed.
    const failed = report.numFailedTests + (name === undefined ? report.numPendingTests : 0);
    const passed = report.numPassedTests;
    const nothing = passed === 0 && name === undefined;
    return { passed, failed: failed === 0 && (code !== 0 || nothing) ? 1 : failed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runAll(options: RunOptions): Promise<number> {
  const { only } = options;
  const lanes = only === undefined ? LANES : LANES.filter((one) => only.some(({ lane }) => lane === one));
  if (lanes.includes("e2e")) await ensureChromium();
  const results = await Promise.all([
    test(lanes, options),
    ...(only === undefined && options.name === undefined ? [verify()] : []),
  ]);
  const sum = (of: (result: Result) => number) => results.reduce((total, result) => total + of(result), 0);
  const passed = sum((result) => result.passed);
  const failed = sum((result) => result.failed);
  if (passed + failed === 0) console.log(`no test has a name like "${options.name}"`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

await runTool({ usage: USAGE, parse: (args) => parseOptions(root, args), run: runAll });
