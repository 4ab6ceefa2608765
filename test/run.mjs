// What `npm test` runs, on whatever Node the machine has: installs what is missing, then hands over to the pinned Node.
import { spawn } from "node:child_process";
import path from "node:path";
import { installDependencies, pinnedNode, root, withParent } from "../local/install.mjs";

try {
  await installDependencies();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const run = path.join(root, "test", "run.ts");
const tests = spawn(pinnedNode, ["--import", withParent, run, ...process.argv.slice(2)], {
  stdio: ["inherit", "inherit", "inherit", "ipc"],
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => tests.kill(signal));
tests.once("exit", (code) => process.exit(code ?? 1));
