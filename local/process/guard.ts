import { spawn } from "node:child_process";
import path from "node:path";

const SCRIPT = path.join(import.meta.dirname, "guard.sh");

/** Ends the components of a stack when this process is gone, however it went. */
export class Guard {
  readonly #input: NodeJS.WritableStream;

  /** `name` only tells in `ps` whose guard it is. */
  constructor(name: string) {
    const guard = spawn("/bin/sh", [SCRIPT, name], { stdio: ["pipe", "ignore", "ignore"], detached: true });
    // A guard that is gone is a stack without one: the next start ends what is left.
    guard.on("error", () => undefined);
    guard.stdin.on("error", () => undefined);
    guard.unref();
    if ("unref" in guard.stdin && typeof guard.stdin.unref === "function") guard.stdin.unref();
    this.#input = guard.stdin;
  }

  /** The process groups that run now. */
  watch(groups: readonly number[]): void {
    this.#input.write(`${groups.join(" ")}\n`);
  }

  /** Everything was stopped in order. */
  end(): void {
    this.#input.end("stopped\n");
  }
}
