/** `npm run deploy -- --env staging|production [--dry-run | --contract]` */
import { existsSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../paths.ts";
import { dryRun } from "./dry-run.ts";
import { parseOptions, USAGE, type DeployOptions } from "./options.ts";
import { contract, deploy } from "./steps.ts";
import { readVariables, type Complaint, type Values } from "./variables.ts";
import { bindingComplaints, placementComplaint } from "./wrangler-config.ts";

const say = (line: string) => console.log(line);

function complain(complaints: readonly Complaint[]): void {
  for (const { variable, problem } of complaints) {
    say(`  ${problem === "missing" ? "missing" : "not usable"}: ${variable.name}, ${variable.purpose}`);
    if (problem !== "missing") say(`      ${problem}`);
    say(`      get it: ${variable.source}`);
  }
}

async function dry({ env }: DeployOptions, values: Values, complaints: readonly Complaint[]): Promise<boolean> {
  say(`dry run for ${env}: nothing leaves this machine`);
  if (complaints.length > 0) say(`\n${complaints.length} variables are missing or not usable:`);
  complain(complaints);
  say("\nbuilding …");
  const result = await dryRun(env, values);
  for (const line of result.lines) say(`  ${line}`);
  for (const complaint of result.complaints) say(`  PROBLEM: ${complaint}`);
  if (result.complaints.length > 0) return false;
  say(complaints.length === 0 ? "\nready to deploy" : "\neverything builds; set the variables above to deploy");
  return true;
}

async function real({ env, mode }: DeployOptions, values: Values, complaints: readonly Complaint[]): Promise<boolean> {
  const databaseUrl = values["DATABASE_URL"];
  if (mode === "contract" && databaseUrl !== undefined) {
    await contract(databaseUrl, say);
    return true;
  }
  const misplaced = databaseUrl === undefined ? undefined : placementComplaint(env, databaseUrl);
  const problems = [...bindingComplaints(), ...(misplaced === undefined ? [] : [misplaced])];
  if (complaints.length > 0 || problems.length > 0) {
    say(`cannot deploy ${env}:`);
    complain(complaints);
    for (const problem of problems) say(`  ${problem} (wrangler.toml)`);
    return false;
  }
  await deploy(env, values, say);
  say(`${env} is deployed`);
  return true;
}

async function main(): Promise<boolean> {
  const args = process.argv.slice(2);
  if (args.includes("--help")) {
    say(USAGE);
    return true;
  }
  const options = parseOptions(args);
  const file = path.join(ROOT, `.env.${options.env}`);
  if (existsSync(file)) process.loadEnvFile(file);
  const { values, complaints } = readVariables(process.env);
  return options.mode === "dry-run" ? dry(options, values, complaints) : real(options, values, complaints);
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
