import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { networkAddresses } from "../../local/network.ts";
import { NODE, ROOT } from "../../local/paths.ts";
import { freePort } from "../../local/ports.ts";
import { commandLine, identify } from "../../local/process/table.ts";
import { killProcess } from "../harness/kill.ts";
import { until } from "../harness/until.ts";
import { endAndRemove, npmStart, type Run, START_MS, untilSays } from "./npm-start.ts";

// A test starts up to two whole stacks, on a machine that may be busy with other lanes.
vi.setConfig({ testTimeout: 200_000, hookTimeout: 120_000 });

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "edgeboard start "));
});
afterEach(() => endAndRemove(dataDir));

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
const stackFile = (folder = dataDir) =>
  StackFile.parse(JSON.parse(readFileSync(path.join(folder, "stack.json"), "utf8")));
const pidsOf = (folder: string): number[] => Object.values(stackFile(folder).pids);
const Accepted = z.object({ submissionId: z.string() });

/** A zombie whose new parent has not looked yet is dead all the same. */
const isAlive = (pid: number): boolean => identify(pid) !== undefined;

/** What a program prints on stdout. Throws when it fails. */
async function output(file: string, args: readonly string[], environment = { DATA_DIR: dataDir }): Promise<string> {
  const { stdout } = await promisify(execFile)(file, args, { cwd: ROOT, env: { ...process.env, ...environment } });
  return stdout;
}

test.each(["PORT", "PARTY_PORT"])(
  "a busy %s ends the start at once with a message that names port and variable",
  async (variable) => {
    const { port, release } = await occupied();
    const run = npmStart({
      DATA_DIR: dataDir,
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
  const run = npmStart({ DATA_DIR: dataDir, CRON_SECONDS: "soon" });
  expect(await run.exitCode).toBe(1);
  expect(run.output()).toContain("CRON_SECONDS");
});

/** Any address but 127.0.0.1 is as far away as a phone: a stack on loopback does not answer there. */
const answersAt = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    () => true,
    () => false,
  );

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

test("SIGTERM while starting stops what has started, with exit code 0", async () => {
  const run = npmStart({ DATA_DIR: dataDir, PORT: String(await freePort()), PARTY_PORT: String(await freePort()) });
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

// Each test goes on with the DATA_DIR, and most with the stack, that the one before left.
describe("the life of one DATA_DIR:", { shuffle: false }, () => {
  const ofAll = mkdtempSync(path.join(tmpdir(), "edgeboard life "));
  let environment: Record<"DATA_DIR" | "PORT" | "PARTY_PORT", string>;
  let second: Run;
  let third: Run;
  beforeAll(async () => {
    environment = { DATA_DIR: ofAll, PORT: String(await freePort()), PARTY_PORT: String(await freePort()) };
  });
  afterAll(() => endAndRemove(ofAll));

  let acknowledged: readonly string[];
  test("the printed curl line works, and SIGINT in the middle of an evening ends everything with exit code 0", async () => {
    const api = `http://localhost:${environment.PORT}`;
    const first = npmStart(environment);
    await untilSays(first, "Stop ");
    expect(first.output()).toContain(`\nready ${api}\n`);
    const curl = /curl -X POST .*/.exec(first.output())?.[0] ?? "";
    expect(await output("sh", ["-c", `${curl} -s -w ' %{http_code}'`])).toMatch(/"rank":1,.* 201$/s);
    const pids = pidsOf(ofAll);
    const evening = startEvening(api);
    await until("many were acknowledged", () => evening.acknowledged.length >= 200, START_MS);
    first.child.kill("SIGINT");
    expect(await first.exitCode).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
    await evening.end();
    acknowledged = evening.acknowledged;
  });

  test("nothing acknowledged is missing after the next start", async () => {
    second = npmStart(environment);
    await untilSays(second, "ready");
    const postgres = new Client({ connectionString: stackFile(ofAll).databaseUrl });
    await postgres.connect();
    const { rows } = await postgres.query("select id from submissions where game = 'arena'");
    await postgres.end();
    const kept = new Set(rows.map(({ id }) => String(id)));
    expect(acknowledged.length).toBeGreaterThanOrEqual(200);
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    // Exit code 0, or it throws with what the doctor said.
    await output(NODE, ["tools/run.mjs", "tools/doctor/main.ts", "--full", "--game", "arena"], { DATA_DIR: ofAll });
  });

  test("what a stack that was killed left running is ended by the next start", async () => {
    const orphans = pidsOf(ofAll);
    // As when the machine stops: what would have ended them is gone as well.
    killProcess(guardOf(ofAll));
    killProcess(orphans.at(-1));
    await second.exitCode;
    expect(orphans.filter(isAlive).length).toBeGreaterThan(0);
    third = npmStart({ ...environment, HOST: "0.0.0.0" });
    await untilSays(third, "Stop ");
    expect(third.output()).toContain("an earlier stack left behind");
    expect(orphans.filter(isAlive)).toEqual([]);
  });

  test("HOST=0.0.0.0 lets the network to API, page and rooms and not to the stores, and warns of the known key", async () => {
    const { PORT: port, PARTY_PORT: partyPort } = environment;
    expect(third.output()).toMatch(/\nNetwork {5}(http:\/\/[\d.]+:\d+\/\?game=arena|none: )/);
    const { upstashUrl, neonUrl, redisUrl } = stackFile(ofAll);
    const far = (url: string) => url.replace(/127\.0\.0\.1|localhost/, "127.0.0.2").replace(/^redis/, "http");
    expect(await answersAt(`http://127.0.0.2:${port}/healthz`)).toBe(true);
    expect(await answersAt(`http://127.0.0.2:${partyPort}/`)).toBe(true);
    for (const url of [upstashUrl, neonUrl, redisUrl]) expect(await answersAt(far(url)), url).toBe(false);
    const live = z
      .object({ url: z.string() })
      .loose()
      .parse(await (await fetch(`http://127.0.0.2:${port}/v1/games/arena/live`)).json());
    expect(new URL(live.url).port).toBe(partyPort);
    const [address] = networkAddresses();
    if (address !== undefined) {
      expect(third.output()).toContain("everybody knows the server key above");
      expect(new URL(live.url).hostname).toBe(address);
    }

    const token = await output(
      NODE,
      ["tools/run.mjs", "tools/keys/main.ts", "token", "--game", "arena", "--player", "zoë"],
      { DATA_DIR: ofAll },
    );
    const answer = await fetch(`http://127.0.0.2:${port}/v1/games/arena/scores`, {
      method: "POST",
      headers: { authorization: `Bearer ${token.trim()}`, "content-type": "application/json" },
      body: JSON.stringify({ player: "zoë", points: 7 }),
    });
    expect(answer.status, await answer.text()).toBe(201);
  });
});
