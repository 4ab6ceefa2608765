/** Runs a command and hands back what it printed. */
import { spawn } from "node:child_process";
import { NODE, ROOT } from "../../local/paths.ts";

export type Run = { readonly code: number; readonly output: string };

export type RunOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** Also shows the output as it comes. */
  readonly show?: boolean;
};

const QUIET = { CI: "1", NO_COLOR: "1", WRANGLER_SEND_METRICS: "false" };

/** `args[0]` is a JavaScript or TypeScript file; it runs on the pinned Node in the clone. */
export function runNode(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(NODE, ["--disable-warning=ExperimentalWarning", ...args], {
      cwd: ROOT,
      env: { ...process.env, ...QUIET, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
        if (options.show) process.stdout.write(chunk);
      });
    }
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
