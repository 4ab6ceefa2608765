/** `npm run deploy -- --env staging|production [--dry-run | --contract]` */
import { existsSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../../local/paths.ts";
import { runTool } from "../command-line.ts";
import { parseOptions, USAGE, type DeployOptions } from "./options.ts";
import { isFatal, readVariables, type Complaint, type Values } from "./variables.ts";

const say = (line: string) => console.log(line);

function complain(env: string, complaints: readonly Complaint[]): void {
  for (const { variable, problem } of complaints) {
    const { name, purpose, source, without } = variable;
    if (problem === "missing") say(`  missing: ${name}, ${purpose}`);
    else if (problem === "not set") say(`  not set: ${name}, ${purpose}; without it ${without}`);
    else say(`  not usable: ${name}, ${purpose}: ${problem}`);
    say(`      get it: ${source.replaceAll("<env>", env)}`);
  }
}

async function dry({ env }: DeployOptions, values: Values, complaints: readonly Complaint[]): Promise<boolean> {
  say(`dry run for ${env}: nothing leaves this machine`);
  const fatal = complaints.filter(isFatal);
  const optional = complaints.filter((complaint) => !isFatal(complaint));
  if (fatal.length > 0) say(`\n${fatal.length} variables are missing or not usable:`);
  complain(env, fatal);
  if (optional.length > 0) say("\nmay be left out:");
  complain(env, optional);
  if (fatal.some(({ problem }) => problem !== "missing")) {
    say("\nnot ready: a value that is not usable would break what it is deployed to");
    return false;
  }
  say("\nbuilding …");
  const { dryRun } = await import("./dry-run.ts");
  const result = await dryRun(env, values);
  for (const line of result.lines) say(`  ${line}`);
  for (const complaint of result.complaints) say(`  PROBLEM: ${complaint}`);
  if (result.complaints.length > 0) return false;
  say(fatal.length === 0 ? "\nready to deploy" : "\neverything builds; set the variables above to deploy");
  return true;
}

/** What keeps the environment from being deployed, in sentences. */
async function obstacles({ env }: DeployOptions, databaseUrl: string): Promise<string[]> {
  const { bindingComplaints, placementComplaint } = await import("./wrangler-config.ts");
  const misplaced = await placementComplaint(env, databaseUrl);
  return [...(await bindingComplaints()), ...(misplaced === undefined ? [] : [misplaced])];
}

async function real(options: DeployOptions, values: Values, complaints: readonly Complaint[]): Promise<boolean> {
  const { env, mode } = options;
  const databaseUrl = values["DATABASE_URL"];
  const fatal = complaints
    .filter(isFatal)
    .filter(({ variable }) => mode === "deploy" || variable.name === "DATABASE_URL");
  const wrong = fatal.length > 0 || databaseUrl === undefined ? [] : await obstacles(options, databaseUrl);
  if (databaseUrl === undefined || fatal.length > 0 || wrong.length > 0) {
    say(`cannot deploy ${env}:`);
    complain(env, fatal);
    for (const problem of wrong) say(`  ${problem} (wrangler.toml)`);
    return false;
  }
  const { contract, deploy } = await import("./steps.ts");
  if (mode === "contract") await contract(databaseUrl, say);
  else await deploy(env, values, say);
  say(mode === "contract" ? `${env} is contracted` : `${env} is deployed`);
  return true;
}

async function run(options: DeployOptions): Promise<number> {
  const file = path.join(ROOT, `.env.${options.env}`);
  if (existsSync(file)) process.loadEnvFile(file);
  const { values, complaints } = readVariables(process.env);
  const work = options.mode === "dry-run" ? dry : real;
  return (await work(options, values, complaints)) ? 0 : 1;
}

await runTool({ usage: USAGE, parse: parseOptions, run });
