// Runs one of the command-line tools on the pinned Node, whatever Node the machine has: `node tools/run.mjs <file> [arguments]`.
import { spawn } from "node:child_process";
import path from "node:path";
import { installDependencies, pinnedNode, root, withParent } from "../local/install.mjs";

const [file, ...rest] = process.argv.slice(2);
try {
  if (file === undefined) throw new Error("usage: node tools/run.mjs <file> [arguments]");
  await installDependencies();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const options = ["--disable-warning=ExperimentalWarning", "--import", withParent];
const tool = spawn(pinnedNode, [...options, path.join(root, file), ...rest], {
  stdio: ["inherit", "inherit", "inherit", "ipc"],
});
// A terminal's Ctrl-C reaches the tool by itself; others reach only this process.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => tool.kill("SIGTERM"));
tool.once("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
