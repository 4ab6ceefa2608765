/** What `npm start` says, at once and in words, about an environment that cannot work. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prepareDataDir, spaceComplaint, watchSpace } from "../../local/data-dir.ts";
import { parseStackEnvironment } from "../../local/env.ts";
import { requireGivenStores } from "../../local/given-stores.ts";
import { NODE, ROOT } from "../../local/paths.ts";
import { freePort } from "../../local/ports.ts";
import { until } from "../harness/until.ts";

/** A start that is not refused takes longer, and then waits for ever. */
const AT_ONCE_MS = 60_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "edgeboard environment "));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Resolves with what the start said when it ended by itself; a start that goes on is ended. */
function start(environment: Readonly<Record<string, string>>) {
  return new Promise<{ code: number | null; said: string }>((resolve, reject) => {
    const child = spawn(NODE, ["--disable-warning=ExperimentalWarning", path.join(ROOT, "local", "main.ts")], {
      env: { PATH: process.env["PATH"], DATA_DIR: path.join(folder, "data"), ...environment },
    });
    const limit = setTimeout(() => child.kill("SIGTERM"), AT_ONCE_MS);
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(limit);
      resolve({ code, said });
    });
  });
}

const KEY = "a key with spaces";
test.each([
  ["PORT", "abc", "must be a port"],
  ["PORT", "0", "must be a port"],
  ["PORT", "-1", "must be a port"],
  ["PORT", "70000", "must be a port"],
  ["PORT", "8787.5", "must be a port"],
  ["PORT", "8787 ", "must be a port"],
  ["PORT", "0x1f90", "must be a port"],
  ["PORT", "1999", "must be another port than PORT"],
  ["PARTY_PORT", "8787", "must be another port than PORT"],
  ["PARTY_PORT", "65536", "must be a port"],
  ["CRON_SECONDS", "soon", "must be a whole number of seconds"],
  ["CRON_SECONDS", "0.5", "must be a whole number of seconds"],
  ["CRON_SECONDS", "-1", "must be a whole number of seconds"],
  ["CRON_SECONDS", "3601", "must be a whole number of seconds"],
  ["CRON_SECONDS", "1e3", "must be a whole number of seconds"],
  ["HOST", "localhost", "must be 127.0.0.1 or 0.0.0.0"],
  ["HOST", "192.168.1.300", "must be 127.0.0.1 or 0.0.0.0"],
  ["SERVER_KEY", KEY, "must be visible ASCII characters without spaces"],
  ["SERVER_KEY", "schlüssel-mit-umlaut", "must be visible ASCII characters without spaces"],
  ["SERVER_KEY", "key\n", "must be visible ASCII characters without spaces"],
  ["SERVER_KEY", "x".repeat(513), "must have at most 512 characters"],
  ["REDIS_URL", "127.0.0.1:6379", "must look like redis://"],
  ["REDIS_URL", "localhost:6379", "must look like redis://"],
  ["REDIS_URL", "http://127.0.0.1:6379", "must look like redis://"],
  ["REDIS_URL", "redis://127.0.0.1:99999", "must look like redis://"],
  ["DATABASE_URL", "edgeboard", "must look like postgresql://"],
  ["DATABASE_URL", "mysql://root@127.0.0.1/edgeboard", "must look like postgresql://"],
])("%s=%j is refused by its name, without the value", (name, value, words) => {
  const refusal = () => parseStackEnvironment({ [name]: value });
  expect(refusal).toThrow(words);
  expect(refusal).toThrow(
    /^the environment is not usable: (PORT|PARTY_PORT|CRON_SECONDS|HOST|SERVER_KEY|REDIS_URL|DATABASE_URL) /,
  );
  if (value.length > 8) expect(refusal).not.toThrow(value);
});

test("empty values are as good as none", () => {
  const names = ["HOST", "PORT", "PARTY_PORT", "DATA_DIR", "SERVER_KEY", "CRON_SECONDS", "REDIS_URL", "DATABASE_URL"];
  expect(parseStackEnvironment(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(parseStackEnvironment({}));
});

describe("npm start ends at once with exit code 1 and", () => {
  test("says that API and rooms cannot share a port", async () => {
    const port = String(await freePort());
    const { code, said } = await start({ PORT: port, PARTY_PORT: port });
    expect(code, said).toBe(1);
    expect(said).toContain("PARTY_PORT must be another port than PORT");
  });

  test("says that a DATA_DIR is a file", async () => {
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    const { code, said } = await start({ DATA_DIR: file });
    expect(code, said).toBe(1);
    expect(said).toContain(`DATA_DIR ${file} is a file, not a folder`);
  });
});

test.each(["/sys/edgeboard", "/proc/edgeboard", "/proc/edgeboard/data", "/dev/null/data"])(
  "DATA_DIR=%s is refused in words",
  (dataDir) => {
    expect(() => prepareDataDir(dataDir)).toThrow(`DATA_DIR ${dataDir} cannot be written to: `);
  },
);

test("stores that do not answer are named by host, port and database, without their passwords", async () => {
  const port = await freePort();
  const redis = requireGivenStores({ redisUrl: `redis://:geheim-123@127.0.0.1:${port}/3` });
  await expect(redis).rejects.toThrow(
    new Error(`Redis (REDIS_URL) at 127.0.0.1:${port}/3 cannot be used: connect ECONNREFUSED 127.0.0.1:${port}`),
  );
  const postgres = requireGivenStores({ databaseUrl: `postgresql://me:geheim-123@127.0.0.1:${port}/games` });
  await expect(postgres).rejects.toThrow(
    new Error(
      `Postgres (DATABASE_URL) at 127.0.0.1:${port}/games cannot be used: connect ECONNREFUSED 127.0.0.1:${port}`,
    ),
  );
});

test(
  "a server that takes the connection and says nothing is given up within seconds",
  { timeout: AT_ONCE_MS },
  async () => {
    const silent = createServer(() => undefined);
    const port = await freePort();
    await new Promise<void>((resolve) => silent.listen(port, "127.0.0.1", resolve));
    const cannotBeUsed = (given: Parameters<typeof requireGivenStores>[0]) =>
      expect(requireGivenStores(given)).rejects.toThrow(`127.0.0.1:${port} cannot be used`);
    await Promise.all([
      cannotBeUsed({ redisUrl: `redis://127.0.0.1:${port}` }),
      cannotBeUsed({ databaseUrl: `postgresql://u:p@127.0.0.1:${port}` }),
    ]);
    silent.close();
  },
);

test("a disk with too little room is named with what is left and what is needed", () => {
  expect(spaceComplaint(folder, 0)).toBeUndefined();
  expect(spaceComplaint(folder, Number.MAX_SAFE_INTEGER)).toMatch(
    /^the disk of .*edgeboard environment .* is full: [\d,]+ MiB left, [\d,]+ MiB needed$/,
  );
});

test("a disk that runs full while the stack runs is said once, and again when it happens again", async () => {
  const said: string[] = [];
  let needed = Number.MAX_SAFE_INTEGER;
  const watch = watchSpace([folder], (line) => said.push(line), { everyMs: 5, neededBytes: () => needed });
  await until("it is said", () => said.length > 0);
  needed = 0;
  await until("the watch has seen that there is room", () => watch.full().length === 0);
  needed = Number.MAX_SAFE_INTEGER;
  await until("it is said again", () => said.length > 1);
  watch.stop();
  expect(said.every((line) => line.includes("is full") && line.endsWith("Submissions fail until there is room"))).toBe(
    true,
  );
  expect(said).toHaveLength(2);
});
