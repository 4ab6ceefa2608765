/** Runs a tool as a user does. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { ROOT } from "../../local/paths.ts";

const Ended = z.object({ code: z.int(), stdout: z.string(), stderr: z.string() });

/** Its exit code and what it printed; it knows these variables and none that the machine has. */
export async function runTool(
  tool: "doctor" | "rebuild" | "badges",
  variables: Readonly<Record<string, string>>,
  ...args: string[]
) {
  const main = path.join(ROOT, "tools", tool, "main.ts");
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const options = { env: { PATH, NODE_COMPILE_CACHE, ...variables }, maxBuffer: 64 * 1024 * 1024 };
  return promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => Ended.parse(error),
  );
}
