import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { networkAddresses } from "../../local/network.ts";
import { NODE, ROOT } from "../../local/paths.ts";
import { freePort } from "../../local/ports.ts";
import { commandLine, identify } from "../../local/process/table.ts";
import { killProcess } from "../harness/kill.ts";
import { until } from "../harness/until.ts";

const START_MS = 90_000;
// A test starts up to two whole stacks, on a machine that may be busy with other lanes.
vi.setConfig({ testTimeout: 200_000, hookTimeout: 120_000 });

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exitCode: Promise<number | null>;
}

let dataDir: string;
const running = new Set<ChildProcess>();

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "edgeboard start "));
});
afterEach(async () => {
  for (const child of running) child.kill("SIGTERM");
  await until("every stack has ended", () => running.size === 0, START_MS);
  rmSync(dataDir, { recursive: true, force: true });
});

function npmStart(environment: Record<string, string>): Run {
  const child = spawn(NODE, [path.join(ROOT, "local", "start.mjs")], {
    env: { ...process.env, DATA_DIR: dataDir, ...environment },
  });
  running.add(child);
  let text = "";
  child.stdout.on("data", (chunk) => (text += String(chunk)));
  child.stderr.on("data", (chunk) => (text += String(chunk)));
  const exitCode = new Promise<number | null>((resolve) => child.once("close", resolve));
  void exitCode.then(() => running.delete(child));
  return { child, output: () => text, exitCode };
}

/** Resolves when the run has printed this; throws with all that it printed when it ended before, or took too long. */
async function untilSays(run: Run, text: string): Promise<void> {
  const said = (): boolean => {
    if (run.output().includes(text)) return true;
    if (run.child.exitCode !== null) throw new Error(`it ended with ${run.child.exitCode}:\n${run.output()}`);
    return false;
  };
  await until(`it says "${text}"`, said, START_MS).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${run.output()}`);
  });
}

async function occupied(): Promise<{ port: number; release: () => void }> {
  const port = await freePort();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { port, release: () => server.close() };
}

const StackFile = z.object({
  databaseUrl: z.string(),
  redisUrl: z.string(),
  upstashUrl: z.string(),
  neonUrl: z.string(),
  pids: z.record(z.string(), z.int()),
});
const stackFile = () => StackFile.parse(JSON.parse(readFileSync(path.join(dataDir, "stack.json"), "utf8")));
const pidsOf = (): number[] => Object.values(stackFile().pids);
const Accepted = z.object({ submissionId: z.string() });

/** A zombie whose new parent has not looked yet is dead all the same. */
const isAlive = (pid: number): boolean => identify(pid) !== undefined;

/** What a program prints on stdout. Throws when it fails. */
async function output(file: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, args, { cwd: ROOT, env: { ...process.env, DATA_DIR: dataDir } });
  return stdout;
}

test.each(["PORT", "PARTY_PORT"])(
  "a busy %s ends the start at once with a message that names port and variable",
  async (variable) => {
    const { port, release } = await occupied();
    const run = npmStart({
      PORT: String(await freePort()),
      PARTY_PORT: String(await freePort()),
      [variable]: String(port),
    });
    expect(await run.exitCode).toBe(1);
    expect(run.output()).toContain(`port ${port} is busy`);
    expect(run.output()).toContain(`${variable}=`);
    release();
  },
);

test("a variable that makes no sense is named", async () => {
  const run = npmStart({ CRON_SECONDS: "soon" });
  expect(await run.exitCode).toBe(1);
  expect(run.output()).toContain("CRON_SECONDS");
});

test("the printed curl line works, and SIGINT ends everything with exit code 0", async () => {
  const port = await freePort();
  const run = npmStart({ PORT: String(port), PARTY_PORT: String(await freePort()) });
  await untilSays(run, "Stop ");
  expect(run.output()).toContain(`\nready http://localhost:${port}\n`);
  const curl = /curl -X POST .*/.exec(run.output())?.[0] ?? "";
  const answer = spawn("sh", ["-c", `${curl} -s -w ' %{http_code}'`]);
  const chunks: string[] = [];
  answer.stdout.on("data", (chunk) => chunks.push(String(chunk)));
  await new Promise((resolve) => answer.once("close", resolve));
  expect(chunks.join("")).toMatch(/"rank":1,.* 201$/s);
  const pids = pidsOf();
  run.child.kill("SIGINT");
  expect(await run.exitCode).toBe(0);
  expect(pids.filter(isAlive)).toEqual([]);
});

/** Any address but 127.0.0.1 is as far away as a phone: a stack on loopback does not answer there. */
const answersAt = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    () => true,
    () => false,
  );

test("HOST=0.0.0.0 lets the network to API, page and rooms and not to the stores, and warns of the known key", async () => {
  const [port, partyPort] = [await freePort(), await freePort()];
  const run = npmStart({ HOST: "0.0.0.0", PORT: String(port), PARTY_PORT: String(partyPort) });
  await untilSays(run, "Stop ");
  expect(run.output()).toMatch(/\nNetwork {5}(http:\/\/[\d.]+:\d+\/\?game=arena|none: )/);
  const { upstashUrl, neonUrl, redisUrl } = stackFile();
  const far = (url: string) => url.replace(/127\.0\.0\.1|localhost/, "127.0.0.2").replace(/^redis/, "http");
  expect(await answersAt(`http://127.0.0.2:${port}/healthz`)).toBe(true);
  expect(await answersAt(`http://127.0.0.2:${partyPort}/`)).toBe(true);
  for (const url of [upstashUrl, neonUrl, redisUrl]) expect(await answersAt(far(url)), url).toBe(false);
  const live = z
    .object({ url: z.string() })
    .loose()
    .parse(await (await fetch(`http://127.0.0.2:${port}/v1/games/arena/live`)).json());
  expect(new URL(live.url).port).toBe(String(partyPort));
  const [address] = networkAddresses();
  if (address !== undefined) {
    expect(run.output()).toContain("everybody knows the server key above");
    expect(new URL(live.url).hostname).toBe(address);
  }

  const token = await output(NODE, [
    "tools/run.mjs",
    "tools/keys/main.ts",
    "token",
    "--game",
    "arena",
    "--player",
    "zoë",
  ]);
  const answer = await fetch(`http://127.0.0.2:${port}/v1/games/arena/scores`, {
    method: "POST",
    headers: { authorization: `Bearer ${token.trim()}`, "content-type": "application/json" },
    body: JSON.stringify({ player: "zoë", points: 7 }),
  });
  expect(answer.status, await answer.text()).toBe(201);
});

/** Eight clients submit until they are told that it is over; the ids that were acknowledged. */
function startEvening(api: string) {
  const acknowledged: string[] = [];
  const over = new AbortController();
  const submit = async (player: string, points: number): Promise<void> => {
    const response = await fetch(`${api}/v1/games/arena/scores`, {
      method: "POST",
      headers: { authorization: "Bearer eb_dev_local_only_0000000000000000", "content-type": "application/json" },
      body: JSON.stringify({ player, points }),
    });
    const answer = z.unknown().parse(await response.json());
    if (response.ok) acknowledged.push(Accepted.parse(answer).submissionId);
  };
  const client = async (number: number): Promise<void> => {
    // What fails was not acknowledged: it may be missing.
    for (let i = 0; !over.signal.aborted; i += 1)
      await submit(`player-${number}-${i % 40}`, (i * 7_919) % 10_000).catch(() => undefined);
  };
  const clients = Array.from({ length: 8 }, (_, number) => client(number));
  return {
    acknowledged,
    async end(): Promise<void> {
      over.abort();
      await Promise.all(clients);
    },
  };
}

test("SIGINT in the middle of an evening: exit code 0, and nothing acknowledged is missing after the next start", async () => {
  const port = String(await freePort());
  const environment = { PORT: port, PARTY_PORT: String(await freePort()) };
  const first = npmStart(environment);
  await untilSays(first, "ready");
  const pids = pidsOf();
  const evening = startEvening(`http://localhost:${port}`);
  await until("many were acknowledged", () => evening.acknowledged.length >= 200, START_MS);
  first.child.kill("SIGINT");
  expect(await first.exitCode).toBe(0);
  expect(pids.filter(isAlive)).toEqual([]);
  await evening.end();

  const second = npmStart(environment);
  await untilSays(second, "ready");
  const postgres = new Client({ connectionString: stackFile().databaseUrl });
  await postgres.connect();
  const { rows } = await postgres.query("select id from submissions where game = 'arena'");
  await postgres.end();
  const kept = new Set(rows.map(({ id }) => String(id)));
  expect(evening.acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  const doctor = spawn(NODE, [path.join(ROOT, "tools/run.mjs"), "tools/doctor/main.ts", "--full", "--game", "arena"], {
    env: { ...process.env, DATA_DIR: dataDir },
  });
  const said: string[] = [];
  doctor.stdout.on("data", (chunk) => said.push(String(chunk)));
  const code = await new Promise((resolve) => doctor.once("close", resolve));
  expect(code, said.join("")).toBe(0);
});

test("SIGTERM while starting stops what has started, with exit code 0", async () => {
  const run = npmStart({ PORT: String(await freePort()), PARTY_PORT: String(await freePort()) });
  await untilSays(run, "postgres ");
  run.child.kill("SIGTERM");
  expect(await run.exitCode).toBe(0);
  expect(run.output()).not.toContain("ready");
});

/** The process that ends a stack's components when the stack was killed. */
const guardOf = (folder: string): number | undefined =>
  readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .find((pid) => commandLine(pid).endsWith(`guard.sh ${folder}`));

test("what a stack that was killed left running is ended by the next start", async () => {
  const environment = { PORT: String(await freePort()), PARTY_PORT: String(await freePort()) };
  const first = npmStart(environment);
  await untilSays(first, "ready");
  const orphans = pidsOf();
  // As when the machine stops: what would have ended them is gone as well.
  killProcess(guardOf(dataDir));
  killProcess(orphans.at(-1));
  await first.exitCode;
  expect(orphans.filter(isAlive).length).toBeGreaterThan(0);
  const second = npmStart(environment);
  await untilSays(second, "ready");
  expect(second.output()).toContain("an earlier stack left behind");
  expect(orphans.filter(isAlive)).toEqual([]);
});
