import path from "node:path";
import { expect, test } from "vitest";
import { VARIABLES } from "../../tools/deploy/variable-table.ts";
import { NODE, ROOT } from "../../local/paths.ts";
import { DUMMY_VALUES } from "./dummy-values.ts";
import { runCommand } from "./run-command.ts";

/** Builds load wrangler and esbuild, on a machine that may be busy with other tests. */
const BUILDS_MS = 240_000;

/** `npm run deploy -- …` with these variables and nothing else of ours in the environment. */
function deploy(args: readonly string[], variables: Readonly<Record<string, string>>) {
  const ours = new Set(VARIABLES.map(({ name }) => name));
  const others = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.has(name)));
  return runCommand(NODE, [path.join(ROOT, "tools/run.mjs"), "tools/deploy/main.ts", ...args], {
    env: { ...others, ...variables },
  });
}

test(
  "a dry run without any value names every variable, says where to get it, and still builds everything",
  { timeout: BUILDS_MS },
  async () => {
    const { code, output } = await deploy(["--env", "production", "--dry-run"], {});
    for (const { name, without, source } of VARIABLES) {
      expect(output).toContain(`${without === undefined ? "missing" : "not set"}: ${name},`);
      expect(output).toContain(source.replaceAll("<env>", "production"));
    }
    expect(output).toMatch(/Worker, gzip: \d+ KiB of 3,072/);
    expect(output).not.toMatch(/<env>|\b0 (variables|bytes) of/);
    expect(output).toMatch(/room, gzip: \d+ KiB of 3,072/);
    expect(output).toContain("Worker edgeboard-production");
    expect(output).toContain("everything builds");
    expect(code).toBe(0);
  },
);

test("a dry run with dummy values is ready to deploy", { timeout: BUILDS_MS }, async () => {
  const { code, output } = await deploy(["--env", "staging", "--dry-run"], DUMMY_VALUES);
  expect(output).toContain("ready to deploy");
  expect(output).not.toMatch(/missing:|not usable:|PROBLEM/);
  expect(code).toBe(0);
});

test("a deployment with missing or short secrets stops before it does anything, and shows no value", async () => {
  const { DATABASE_URL: _, ...values } = DUMMY_VALUES;
  const { code, output } = await deploy(["--env", "production"], { ...values, SERVER_KEY: "short-secret-value" });
  expect(output).toContain("cannot deploy production");
  expect(output).toContain("missing: DATABASE_URL");
  expect(output).toMatch(/not usable: SERVER_KEY.*at least 32 bytes/);
  expect(output).not.toContain("short-secret-value");
  expect(output).not.toContain("migrations");
  expect(code).toBe(1);
});

test("a dry run with values that would break production is not ready, names each, and shows none", async () => {
  const { code, output } = await deploy(["--env", "production", "--dry-run"], {
    ...DUMMY_VALUES,
    PARTY_URL: `${DUMMY_VALUES["PARTY_URL"]}/`,
    SERVER_KEY: "a key with spaces, and long enough to be one",
    PLAYER_TOKEN_JWKS: "{}",
  });
  for (const name of ["PARTY_URL", "SERVER_KEY", "PLAYER_TOKEN_JWKS"]) expect(output).toContain(`not usable: ${name},`);
  expect(output).toContain("3 variables are missing or not usable");
  expect(output).not.toMatch(/ready to deploy|everything builds|a key with spaces/);
  expect(code).toBe(1);
});

test("a database in another region than the Worker is a problem", async () => {
  const url = "postgresql://u:p@ep-x-1.us-east-1.aws.neon.tech/edgeboard";
  const { code, output } = await deploy(["--env", "production"], { ...DUMMY_VALUES, DATABASE_URL: url });
  expect(output).toContain("the database is in aws:us-east-1");
  expect(code).toBe(1);
});

test("an unknown environment is refused with the ones there are", async () => {
  const { code, output } = await deploy(["--env", "moon", "--dry-run"], {});
  expect(output).toContain("--env must be one of staging, production");
  expect(code).toBe(1);
});
