import { mkdtempSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { withClient } from "../../local/components/postgres.ts";
import { groupMembers } from "../../local/process/table.ts";
import { type ComponentName, type Stack, startStack } from "../../local/stack.ts";
import type { StackInfo } from "../../local/stack-file.ts";
import { killProcess } from "../harness/kill.ts";
import { SERVER_KEY } from "../harness/server-key.ts";
import { until } from "../harness/until.ts";

// The life of one stack, in the order in which it happens: each test goes on where the one before stopped.

const RECOVERY_MS = 90_000;
vi.setConfig({ testTimeout: 120_000 });
const COMPONENTS: readonly ComponentName[] = ["redis", "postgres", "upstash", "neon", "worker", "party"];

const dataDir = mkdtempSync(path.join(inject("runFolder"), "life "));
const lines: string[] = [];
let stack: Stack;

async function start(ports?: { port: number; partyPort: number }): Promise<Stack> {
  return startStack({
    port: ports?.port ?? 0,
    partyPort: ports?.partyPort ?? 0,
    dataDir,
    serverKey: SERVER_KEY,
    cronSeconds: 0,
    prepared: inject("prepared"),
    say: (line) => lines.push(line),
  });
}

async function submit(player: string, points: number): Promise<number> {
  const response = await fetch(`${stack.info.api}/v1/games/arena/scores`, {
    method: "POST",
    headers: { authorization: `Bearer ${SERVER_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ player, points }),
    signal: AbortSignal.timeout(10_000),
  });
  await response.arrayBuffer();
  return response.status;
}

async function top(): Promise<string> {
  return (
    await fetch(`${stack.info.api}/v1/games/arena/boards/current/top`, { signal: AbortSignal.timeout(10_000) })
  ).text();
}

function stackFile(): StackInfo {
  return JSON.parse(readFileSync(path.join(dataDir, "stack.json"), "utf8"));
}

const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );

beforeAll(async () => {
  stack = await start();
});
afterAll(() => stack.stop());

describe("the life of one stack:", { shuffle: false }, () => {
  test("a stack that is up takes a score and says in stack.json what runs", async () => {
    expect(await submit("ada", 1_200)).toBe(201);
    expect(await top()).toContain('"ada"');
    expect(stackFile()).toEqual(stack.info);
    expect(Object.values(stack.info.pids).every((pid) => pid > 0)).toBe(true);
  });

  test.each(COMPONENTS)("a killed %s is started again on its port", async (name) => {
    const before = stack.info.pids[name];
    killProcess(before);
    await until(
      `${name} has another pid in stack.json`,
      () => stackFile().pids[name] !== before && stackFile().pids[name] > 0,
      RECOVERY_MS,
    );
    await until(
      `${name} is said to be back`,
      () => lines.some((line) => line.startsWith(`${name} is back on port`)),
      RECOVERY_MS,
    );
    expect(lines.some((line) => line.startsWith(`${name} died (SIGKILL)`))).toBe(true);
    await until(
      "a score is ranked again",
      () =>
        submit("bob", 900).then(
          (status) => status === 201,
          () => false,
        ),
      RECOVERY_MS,
    );
    expect(await answers(stack.info.party)).toBe(true);
  });

  test("a second stack on the same DATA_DIR is refused and harms nothing", async () => {
    await expect(start()).rejects.toThrow(/another stack \(pid \d+\) runs on/);
    expect(await submit("cyd", 800)).toBe(201);
  });

  test("stopping lets requests in flight finish and leaves no process", async () => {
    const { pids } = stack.info;
    const faults = new URL("/__faults", stack.info.neonUrl);
    const slow = [{ action: "delay", delayMs: 500, match: "late-player", times: 1 }];
    await fetch(faults, { method: "POST", body: JSON.stringify(slow) });
    const inFlight = submit("late-player", 700);
    await until("the request has reached the database", async () => (await (await fetch(faults)).text()) === "[]");
    await stack.stop();
    expect(await inFlight).toBe(201);
    for (const name of COMPONENTS) expect(groupMembers(pids[name])).toEqual([]);
  });

  test("the next start has every acknowledged score on the board before it says that it is ready", async () => {
    stack = await start();
    expect(await submit("dan", 600)).toBe(201);
    const board = await top();
    for (const player of ["ada", "bob", "cyd", "late-player", "dan"]) expect(board).toContain(`"${player}"`);
  });

  test("data that other migrations made is refused, with the folder to delete", async () => {
    await withClient(stack.info.databaseUrl, (client) =>
      client.query("update drizzle.__drizzle_migrations set hash = 'of another version'"),
    );
    await stack.stop();
    await expect(start()).rejects.toThrow(`Delete the folder ${dataDir} and start again`);
  });
});
