import { spawn } from "node:child_process";

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly timeout?: number;
}

/** Runs a command without input until it ends; `output` is what it wrote to both streams, in the order in which it came. */
export function runCommand(command: string, args: readonly string[], surroundings: Surroundings) {
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn(command, args, { ...surroundings, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
