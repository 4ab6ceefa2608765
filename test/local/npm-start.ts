/** `npm start` as a program, with what it prints. */
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { NODE, ROOT } from "../../local/paths.ts";
import { until } from "../harness/until.ts";

/** How long a whole stack may take to start or to end, on a machine that may be busy with other lanes. */
export const START_MS = 90_000;

export interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exitCode: Promise<number | null>;
}

/** With the DATA_DIR of each. */
const running = new Map<ChildProcess, string>();

/** Ends every stack that was started on a DATA_DIR, and removes that. */
export async function endAndRemove(folder: string): Promise<void> {
  const stacks = () => [...running].filter(([, of]) => of === folder).map(([child]) => child);
  for (const child of stacks()) child.kill("SIGTERM");
  await until("every stack has ended", () => stacks().length === 0, START_MS);
  rmSync(folder, { recursive: true, force: true });
}

/** Starts a stack with these variables beside those of this process. */
export function npmStart(variables: Readonly<Record<string, string>> & { readonly DATA_DIR: string }): Run {
  const child = spawn(NODE, [path.join(ROOT, "local", "start.mjs")], { env: { ...process.env, ...variables } });
  running.set(child, variables.DATA_DIR);
  let text = "";
  child.stdout.on("data", (chunk) => (text += String(chunk)));
  child.stderr.on("data", (chunk) => (text += String(chunk)));
  const exitCode = new Promise<number | null>((resolve) => child.once("close", resolve));
  void exitCode.then(() => running.delete(child));
  return { child, output: () => text, exitCode };
}

/** Resolves when the run has printed this; throws with all that it printed when it ended before, or took too long. */
export async function untilSays(run: Run, text: string): Promise<void> {
  const said = (): boolean => {
    if (run.output().includes(text)) return true;
    if (run.child.exitCode !== null) throw new Error(`it ended with ${run.child.exitCode}:\n${run.output()}`);
    return false;
  };
  await until(`it says "${text}"`, said, START_MS).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${run.output()}`);
  });
}
