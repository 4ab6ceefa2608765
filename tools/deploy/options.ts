/** The command line of `npm run deploy`. */
import { parseArgs } from "node:util";
import { z } from "zod";

export const ENVIRONMENTS = ["staging", "production"] as const;
export type DeployEnvironment = (typeof ENVIRONMENTS)[number];

export const USAGE = `usage: npm run deploy -- --env staging|production [--dry-run | --contract]

  --env        which environment of wrangler.toml; values come from the process environment and from .env.<env>
  --dry-run    says what is missing, builds everything with dummy values, checks sizes and bindings; needs no network
  --contract   applies the migrations that remove what the last Worker still used; run it when no rollback is planned

docs/deploy.md has the order of steps and how to roll back, README.md the table of variables.`;

const Options = z.object({
  env: z.enum(ENVIRONMENTS, { error: `--env must be one of ${ENVIRONMENTS.join(", ")}` }),
  "dry-run": z.boolean().default(false),
  contract: z.boolean().default(false),
});

export type DeployOptions = {
  readonly env: DeployEnvironment;
  readonly mode: "deploy" | "dry-run" | "contract";
};

/** Throws an Error with what is wrong, for the user. */
export function parseOptions(args: readonly string[]): DeployOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { env: { type: "string" }, "dry-run": { type: "boolean" }, contract: { type: "boolean" } },
  });
  const parsed = Options.safeParse(values);
  if (!parsed.success) throw new Error(parsed.error.issues.map((issue) => issue.message).join("; "));
  const { env, contract } = parsed.data;
  if (parsed.data["dry-run"] && contract) throw new Error("--dry-run and --contract exclude each other");
  if (parsed.data["dry-run"]) return { env, mode: "dry-run" };
  return { env, mode: contract ? "contract" : "deploy" };
}
