import { spawn } from "node:child_process";
import path from "node:path";
import { installDependencies, pinnedNode, root } from "./install.mjs";

// What `npm start` runs, on whatever Node the machine has: installs what is missing, then hands over to the pinned
// Node. Signals are passed on and the exit code is handed back, so that npm, a terminal or a supervisor can treat
// this process as the stack. The IPC channel tells the stack when this process was killed.

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"];

try {
  await installDependencies();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const stack = spawn(pinnedNode, ["--disable-warning=ExperimentalWarning", path.join(root, "local", "main.ts")], {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
for (const signal of FORWARDED) process.on(signal, () => stack.kill(signal));
stack.once("error", (error) => {
  console.error(error.message);
  process.exit(1);
});
stack.once("exit", (code) => process.exit(code ?? 1));
