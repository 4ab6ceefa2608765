import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { WORKER_VARIABLES } from "../../functions/env.ts";
import { SUBREQUESTS } from "../../functions/services/limits.ts";
import { ENVIRONMENTS } from "../../tools/deploy/options.ts";
import { VARIABLES } from "../../tools/deploy/variable-table.ts";
import { readVariables, valuesFor } from "../../tools/deploy/variables.ts";
import { missingBindings, placementComplaint, wranglerConfig } from "../../tools/deploy/wrangler-config.ts";
import { ROOT } from "../../local/paths.ts";
import { partykitArgs, wranglerArgs } from "../../tools/deploy/publish.ts";
import { DUMMY_VALUES } from "./dummy-values.ts";

const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

/** Set by wrangler.toml or by the local stack alone. */
const NOT_OF_AN_ACCOUNT = ["REDIS_TARGET", "NEON_SQL_ENDPOINT", "PLAYER_LIMIT", "ADDRESS_LIMIT"];

/** Loading wrangler takes seconds, on a busy machine many. */
beforeAll(() => wranglerConfig(), 120_000);

describe.each(ENVIRONMENTS)("[env.%s]", (env) => {
  test("has every variable and binding of the top level", async () => {
    expect(await missingBindings(env)).toEqual([]);
    const [top, config] = [await wranglerConfig(), await wranglerConfig(env)];
    expect(config.vars).toEqual(top.vars);
    const names = (limits: { name: string }[]) => limits.map(({ name }) => name);
    expect(names(config.ratelimits)).toEqual(names(top.ratelimits));
  });

  test("inherits cron, compatibility date and observability, and is placed in a region", async () => {
    const [top, config] = [await wranglerConfig(), await wranglerConfig(env)];
    expect(config.triggers.crons).toEqual(["* * * * *"]);
    expect(config.compatibility_date).toBe(top.compatibility_date);
    expect(config.observability).toEqual(top.observability);
    expect(config.placement?.region).toMatch(/^aws:/);
    expect(config.name).toBe(`edgeboard-${env}`);
  });

  test("allows a run what the code counts on", async () => {
    // The most CPU that a cron of every minute may have.
    const limits = { cpu_ms: 30_000, subrequests: SUBREQUESTS };
    expect((await wranglerConfig(env)).limits).toEqual(limits);
    expect((await wranglerConfig()).limits).toEqual(limits);
    expect(read("functions/cron/README.md")).toContain(`${SUBREQUESTS.toLocaleString("en")} subrequests`);
  });

  test("refuses to deploy without the secrets that the Worker cannot start without", async () => {
    const needed = VARIABLES.filter(({ goesTo, without }) => goesTo.includes("worker") && without === undefined);
    const required = new Set((await wranglerConfig(env)).secrets?.required);
    expect(needed.filter(({ name }) => !required.has(name)).map(({ name }) => name)).toEqual(["SERVER_KEY"]);
  });
});

test("wrangler dev watches every folder that the Worker is made of", async () => {
  const folders = readdirSync(path.join(ROOT, "functions"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join("functions", entry.name));
  const { watch_dir: watched } = z.object({ watch_dir: z.array(z.string()) }).parse((await wranglerConfig())["build"]);
  expect(watched.map((folder) => path.relative(ROOT, path.resolve(ROOT, folder)))).toEqual(
    expect.arrayContaining([...folders, "web/styles", "lua/src"]),
  );
});

test("rate limits of two environments never share their counters", async () => {
  const configs = [await wranglerConfig(), await wranglerConfig("staging"), await wranglerConfig("production")];
  const ids = configs.flatMap(({ ratelimits }) => ratelimits.map((limit) => limit.namespace_id));
  expect(ids.length).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(ids.length);
});

test("every variable that the Worker reads is in the table of variables", () => {
  const known = new Set([...VARIABLES.map(({ name }) => name), ...NOT_OF_AN_ACCOUNT]);
  expect(WORKER_VARIABLES.filter((name) => !known.has(name))).toEqual([]);
});

test("README.md has the table of variables as the script knows it", () => {
  const rows = read("README.md").split("\n");
  for (const { name, purpose, source } of VARIABLES) {
    // The local stack's table names some of them too.
    const its = rows.filter((line) => line.startsWith(`| \`${name}\` |`));
    expect(
      its.filter((row) => row.includes(purpose) && row.includes(source)),
      name,
    ).toHaveLength(1);
  }
});

test(".dev.vars.example names only variables that the Worker reads", () => {
  const names = [...read(".dev.vars.example").matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]);
  expect(names.filter((name) => name !== undefined && !WORKER_VARIABLES.includes(name))).toEqual([]);
});

test("an empty value counts as missing, and complaints never repeat a value", () => {
  const { values, complaints } = readVariables({ ...DUMMY_VALUES, SERVER_KEY: "", METRICS_TOKEN: "too-short" });
  expect(values["SERVER_KEY"]).toBeUndefined();
  expect(complaints.find(({ variable }) => variable.name === "SERVER_KEY")?.problem).toBe("missing");
  expect(JSON.stringify(complaints)).not.toContain("too-short");
});

test("each value goes to where it is used and nowhere else", () => {
  const { values } = readVariables(DUMMY_VALUES);
  const worker = valuesFor("worker", values);
  expect(worker["DATABASE_URL"]).toBe(DUMMY_VALUES["DATABASE_URL"]);
  expect(Object.keys(worker)).not.toContain("CLOUDFLARE_API_TOKEN");
  expect(valuesFor("room", values)).toEqual({
    API_URL: DUMMY_VALUES["API_URL"],
    PUSH_SECRET: DUMMY_VALUES["PARTY_PUSH_SECRET"],
  });
});

test("placement is compared with Neon's region, and not with hosts that do not say theirs", async () => {
  const complaint = (host: string) => placementComplaint("production", `postgresql://u:p@${host}/db`);
  expect(await complaint("ep-a.eu-central-1.aws.neon.tech")).toBeUndefined();
  expect(await complaint("db.example.com")).toBeUndefined();
  expect(await complaint("ep-a.us-east-2.aws.neon.tech")).toContain("us-east-2");
});

test("custom domains are attached, and no secret stands on a command line", () => {
  const wrangler = wranglerArgs("production", "https://scores.studio.example", "/tmp/secrets.json");
  expect(wrangler.slice(-2)).toEqual(["--domain", "scores.studio.example"]);
  expect(wranglerArgs("staging", "https://edgeboard-staging.x.workers.dev", "/tmp/s.json")).not.toContain("--domain");
  expect(partykitArgs("staging", "https://edgeboard-staging.studio.partykit.dev").slice(-2)).toEqual([
    "--name",
    "edgeboard-staging",
  ]);
});

test("partykit.json and party/room.ts agree on the entry, and the room is deployed under the project's name", () => {
  const config = z.object({ name: z.string(), main: z.string(), compatibilityDate: z.string() });
  const parsed = config.loose().parse(JSON.parse(read("partykit.json")));
  expect(read(parsed.main)).toContain("satisfies Party.Worker");
  expect(parsed.name).toBe("edgeboard");
});
