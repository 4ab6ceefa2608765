/** A process that starts servers may be killed: nothing that it started runs on. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NODE, ROOT } from "../../local/paths.ts";
import { groupMembers, identify } from "../../local/process/table.ts";
import { killProcess } from "../harness/kill.ts";
import { until } from "../harness/until.ts";

const HOLDER = "test/local/holds-stores.ts";
/** Starting two servers and two endpoints, and ending them, on a machine that may be busy. */
const SERVERS_MS = 60_000;

let dataDir: string;
let launched: ChildProcess | undefined;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "edgeboard orphans "));
});
afterEach(async () => {
  launched?.kill("SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts stores in a program of its own and resolves with its pid and theirs, when all of them run. */
async function holder(file: string, args: readonly string[]): Promise<{ pid: number; servers: number[] }> {
  const child = spawn(file, args, { cwd: ROOT, env: { ...process.env, DATA_DIR: dataDir } });
  launched = child;
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  const [, pid, servers = ""] = await until(
    "it says what runs",
    () => /holder (\d+) servers ([\d ]+)\n/.exec(said) ?? false,
    SERVERS_MS,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${said}`);
  });
  return { pid: Number(pid), servers: servers.split(" ").map(Number) };
}

const allGone = (groups: readonly number[]): boolean => groups.every((group) => groupMembers(group).length === 0);

test("a killed program's servers end", async () => {
  const { pid, servers } = await holder(NODE, ["--disable-warning=ExperimentalWarning", HOLDER]);
  expect(servers).toHaveLength(4);
  killProcess(pid);
  await until("its servers have ended", () => allGone(servers), SERVERS_MS);
});

test("a killed launcher's program ends, and its servers", async () => {
  const { pid, servers } = await holder(NODE, ["tools/run.mjs", HOLDER]);
  expect(pid).not.toBe(launched?.pid);
  killProcess(launched?.pid);
  await until(
    "the program and its servers have ended",
    () => identify(pid) === undefined && allGone(servers),
    SERVERS_MS,
  );
});
