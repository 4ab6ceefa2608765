/** `--dry-run`: everything that can be known without an account and without a network. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { libraryText } from "../../lua/library.ts";
import { librarySource, releaseOf } from "../../lua/loader.ts";
import { buildRoom, buildWorker } from "./builds.ts";
import { functionNames } from "./library.ts";
import { measureLine, VARIABLE_BYTES, VARIABLES as MOST_VARIABLES, withinLimit, type Measure } from "./limits.ts";
import type { DeployEnvironment } from "./options.ts";
import { valuesFor, type Values } from "./variables.ts";
import { bindingComplaints, placementComplaint, wranglerConfig } from "./wrangler-config.ts";

/** What the variables that are set take; nothing when none is. */
function variableMeasures(values: Values): Measure[] {
  const worker = valuesFor("worker", values);
  if (Object.keys(worker).length === 0) return [];
  const sizes = Object.values(worker).map((value) => Buffer.byteLength(value));
  return [
    { what: "Worker variables", value: Object.keys(worker).length, limit: MOST_VARIABLES, unit: "variables" },
    { what: "longest variable", value: Math.max(...sizes), limit: VARIABLE_BYTES, unit: "bytes" },
  ];
}

export type DryRun = { readonly lines: readonly string[]; readonly complaints: readonly string[] };

export async function dryRun(env: DeployEnvironment, values: Values): Promise<DryRun> {
  const folder = mkdtempSync(path.join(tmpdir(), "edgeboard-deploy-"));
  try {
    const measures = [
      ...(await buildWorker(env, path.join(folder, "worker"))),
      ...(await buildRoom(path.join(folder, "room.js"))),
      ...variableMeasures(values),
    ];
    const text = libraryText();
    librarySource(text, "upstash");
    const { placement, name } = await wranglerConfig(env);
    const tooLarge = measures
      .filter((measure) => !withinLimit(measure))
      .map((m) => `over the limit: ${measureLine(m)}`);
    const databaseUrl = values["DATABASE_URL"];
    const misplaced = databaseUrl === undefined ? undefined : await placementComplaint(env, databaseUrl);
    return {
      lines: [
        ...measures.map(measureLine),
        `library: release ${releaseOf(text)}, ${functionNames(text).length} functions, each with the Upstash flag`,
        `Worker ${name}, placed in ${placement?.region ?? "no fixed region"}`,
      ],
      complaints: [...tooLarge, ...(await bindingComplaints()), ...(misplaced === undefined ? [] : [misplaced])],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
