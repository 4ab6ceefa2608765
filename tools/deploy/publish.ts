/** Uploads the Worker and the room. Secrets travel in files and messages, never on a command line. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { installed, ROOT } from "../../local/paths.ts";
import type { DeployEnvironment } from "./options.ts";
import { runNode } from "./run.ts";
import { valuesFor, type Values } from "./variables.ts";

/** Cloudflare gives these addresses by itself; any other host is attached as a custom domain. */
const WORKERS_DEV = /\.workers\.dev$/;
const PARTYKIT_DEV = /\.partykit\.dev$/;

export function wranglerArgs(env: DeployEnvironment, apiUrl: string, secretsFile: string): string[] {
  const host = new URL(apiUrl).hostname;
  const domain = WORKERS_DEV.test(host) ? [] : ["--domain", host];
  const wrangler = installed("wrangler", "bin", "wrangler.js");
  return [wrangler, "deploy", "--env", env, "--secrets-file", secretsFile, ...domain];
}

export function partykitArgs(env: DeployEnvironment, partyUrl: string): string[] {
  const host = new URL(partyUrl).hostname;
  const domain = PARTYKIT_DEV.test(host) ? [] : ["--domain", host];
  const name = host.split(".")[0] ?? `edgeboard-${env}`;
  const partykit = path.join(ROOT, "local", "components", "party-dev.ts");
  return [partykit, "deploy", "--config", "partykit.json", "--name", name, ...domain];
}

export async function publishWorker(env: DeployEnvironment, values: Values): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "edgeboard-secrets-"));
  try {
    const file = path.join(folder, "secrets.json");
    writeFileSync(file, JSON.stringify(valuesFor("worker", values)), { mode: 0o600 });
    const { code } = await runNode(wranglerArgs(env, values["API_URL"] ?? "", file), { show: true });
    if (code !== 0) throw new Error("wrangler deploy failed; nothing that runs was changed by it");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function publishRoom(env: DeployEnvironment, values: Values): Promise<void> {
  const variables = JSON.stringify(valuesFor("room", values));
  const args = partykitArgs(env, values["PARTY_URL"] ?? "");
  const { code } = await runNode(args, { show: true, env: { PARTY_VARIABLES: variables } });
  if (code !== 0) throw new Error("partykit deploy failed; run the deployment again, every step may be repeated");
}
