/** What every tool does with its command line: help, refusals and failures in the same way. */
import { reasonOf } from "../local/failure.ts";

export type Tool<Options> = {
  readonly usage: string;
  /** Throws with what is wrong with the command line. */
  readonly parse: (args: readonly string[]) => Options;
  /** Resolves with the exit code. */
  readonly run: (options: Options) => Promise<number>;
  /** The exit code when `run` throws. */
  readonly failed?: number;
};

/** Runs the tool and leaves its exit code: `--help` is 0, a command line that makes no sense is 1 and shows the usage. */
export async function runTool<Options>({ usage, parse, run, failed = 1 }: Tool<Options>): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    return;
  }
  let options: Options;
  try {
    options = parse(args);
  } catch (error) {
    console.error(`${reasonOf(error)}\n\n${usage}`);
    process.exitCode = 1;
    return;
  }
  try {
    process.exitCode = await run(options);
  } catch (error) {
    console.error(reasonOf(error));
    process.exitCode = failed;
  }
}
