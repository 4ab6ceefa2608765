/** What every command of package.json does with `--help` and with a command line that makes no sense. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { NODE, ROOT } from "../../local/paths.ts";
import { playEvening } from "../../tools/demo/evening.ts";
import { parseOptions as demoOptions } from "../../tools/demo/options.ts";
import { parseCommand } from "../../tools/keys/options.ts";

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")));

/** `exec node tools/run.mjs <file>`, and `npm test`, which hands over in the same way. */
const tools = Object.entries(scripts).flatMap(([name, script]) => {
  const file = / tools\/run\.mjs (\S+)$/.exec(script)?.[1] ?? (name === "test" ? "test/run.ts" : undefined);
  // `test:…` hands its arguments on to the test run.
  return file === undefined || name.startsWith("test:") ? [] : [{ name, file }];
});

function run(file: string, ...args: string[]) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    const child = spawn(NODE, ["--disable-warning=ExperimentalWarning", path.join(ROOT, file), ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text) => (said.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (said.stderr += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...said }));
  });
}

test("all tools are looked at", () => {
  expect(tools.map(({ name }) => name).sort()).toEqual(
    [
      "badges",
      "bench",
      "boards",
      "demo",
      "deploy",
      "doctor",
      "keys",
      "migrations",
      "rebuild",
      "test",
      "wrangler-dev",
    ].sort(),
  );
});

describe.each(tools)("$name", ({ name, file }) => {
  test("says how it is used, whatever stands beside --help", async () => {
    const { code, stdout, stderr } = await run(file, "--nonsense", "--help");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^usage: npm (run )?${name} -- `));
  });

  test("refuses an option that it does not have with its usage, and does nothing", async () => {
    const { code, stdout, stderr } = await run(file, "--nonsense");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(new RegExp(`--nonsense.*\\n\\nusage: npm (run )?${name} -- `));
  });
});

describe("npm test", () => {
  test("refuses a lane that is not there, by its name", async () => {
    const { code, stderr } = await run("test/run.ts", "domain", "nosuchlane");
    expect(code).toBe(1);
    expect(stderr).toContain('there is no lane and no test file "nosuchlane"');
  });

  test("refuses a file that is no test of a lane", async () => {
    const { code, stderr } = await run("test/run.ts", "test/harness/until.ts");
    expect(code).toBe(1);
    expect(stderr).toContain('no test file "test/harness/until.ts"');
  });

  test("runs one file, whichever way it is named, and one test of it", async () => {
    const whole = await run("test/run.ts", "test/domain/country.test.ts");
    expect(whole.code, whole.stdout).toBe(0);
    expect(whole.stdout).toMatch(/\n[1-9]\d* passed, 0 failed\n$/);
    const one = await run("test/run.ts", "domain/country.test.ts", "--name", "is none for nothing");
    expect(one.code, one.stdout).toBe(0);
    expect(one.stdout).toMatch(/\n1 passed, 0 failed\n$/);
  });

  test("a run without a test fails", async () => {
    const { code, stdout } = await run("test/run.ts", "domain/country.test.ts", "-t", "no test is called that");
    expect(code).toBe(1);
    expect(stdout).toContain('no test has a name like "no test is called that"\n0 passed, 0 failed');
  });
});

describe("npm run keys", () => {
  test.each([
    [["nope"], 'there is no command "nope"'],
    [["list", "arena"], "name one command"],
    [["list", "--scopes", "submit"], "list takes no --scopes"],
    [["create", "--game", "arena"], "--scopes: "],
    [["create", "--game", "Arena", "--scopes", "submit"], "--game: must be 1–32 of a–z, 0–9 and -"],
    [["revoke", "--prefix", "eb_live_key"], "--prefix: must be a key's prefix"],
    [[], "name one command"],
  ])("says what is wrong with %j", (args, words) => {
    expect(() => parseCommand(args)).toThrow(words);
  });
});

describe("npm run demo", () => {
  test("plays another evening each time, and the same one with the same seed", () => {
    const evening = (...args: string[]) => {
      const { seed, count, players } = demoOptions(["--count", "500", "--players", "200000", ...args]);
      return [...playEvening(seed, count, players)];
    };
    expect(evening()).not.toEqual(evening());
    expect(evening("--seed", "7")).toEqual(evening("--seed", "7"));
    expect(new Set(evening().map(({ player }) => player)).size).toBeGreaterThan(480);
  });

  test.each([
    ["--seed", "4294967296", "must be below"],
    ["--seed", "-1", "must be a whole number from 0 on"],
    ["--count", "0", "must be a whole number from 1 on"],
    ["--players", "many", "must be a whole number from 1 on"],
    ["--rate", "0", "must be above 0"],
    ["--game", "Arena", "must be 1–32 of"],
  ])("refuses %s=%s in words", (name, value, words) => {
    expect(() => demoOptions([`${name}=${value}`])).toThrow(`${name}: ${words}`);
  });
});

describe("npm run boards -- preview", () => {
  const definition = (schedule: object) => JSON.stringify({ statistic: "lapMs", order: "asc", schedule });
  const preview = async (text: string, ...args: string[]) => {
    const folder = mkdtempSync(path.join(tmpdir(), "edgeboard-boards-"));
    const file = path.join(folder, "laps.json");
    writeFileSync(file, text);
    const said = await run("tools/boards/main.ts", "preview", file, ...args);
    rmSync(folder, { recursive: true });
    return said;
  };

  test("prints the next periods, on the clock of the zone and in UTC", async () => {
    const schedule = { kind: "day", zone: "Europe/Berlin", at: "02:30" };
    const { code, stdout } = await preview(definition(schedule), "--from", "2026-10-24T12:00:00Z", "--n", "2");
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ["period", "starts (Europe/Berlin)", "starts (UTC)", "ends (UTC)", "length"],
      ["2026-10-24", "Sat 2026-10-24 02:30 GMT+02:00", "2026-10-24T00:30", "2026-10-25T00:30", "1 d"],
      ["2026-10-25", "Sun 2026-10-25 02:30 GMT+02:00", "2026-10-25T00:30", "2026-10-26T01:30", "1 d 1 h"],
    ]);
  });

  test.each([
    [
      definition({ kind: "day", zone: "Mars" }),
      "/schedule/zone must be a time zone of the IANA database, such as Europe/Berlin",
    ],
    [
      definition({ kind: "dya" }),
      '/schedule/kind must be "never", "day", "week", "month", "quarter", "year", "seasons", "cron" or "every"',
    ],
    ["{", "the definition is no JSON"],
  ])("says what is wrong with %s", async (text, problem) => {
    const { code, stderr } = await preview(text);
    expect([code, stderr.trim()]).toEqual([1, problem]);
  });
});
