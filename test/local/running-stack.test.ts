import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStores } from "../../tools/doctor/stores.ts";
import { freePort } from "../../local/ports.ts";
import { runningStack } from "../../local/running-stack.ts";

/** Above the largest pid that Linux gives. */
const NOBODY = 2 ** 22 + 1;
let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "edgeboard-running-"));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function writeStack(pid: number): void {
  const url = "http://127.0.0.1:1";
  const addresses = { api: url, party: url, upstashUrl: url, neonUrl: url, redisUrl: "redis://x", databaseUrl: "x" };
  writeFileSync(
    path.join(dataDir, "stack.json"),
    JSON.stringify({ ...addresses, upstashToken: "t", pids: { stack: pid } }),
  );
}

test("a tool finds the stack that runs", () => {
  writeStack(process.pid);
  expect(runningStack(dataDir).api).toBe("http://127.0.0.1:1");
});

test("a tool says that none runs when the stack has ended and left its file", () => {
  writeStack(NOBODY);
  expect(() => runningStack(dataDir)).toThrow("no stack runs on");
});

test("a tool gives up when Redis does not answer", async () => {
  const port = await freePort();
  const nowhere = { REDIS_URL: `redis://127.0.0.1:${port}`, DATABASE_URL: "postgres://127.0.0.1:1/x" };
  await expect(openStores(nowhere, dataDir)).rejects.toThrow(`Redis 127.0.0.1:${port} does not answer`);
});
