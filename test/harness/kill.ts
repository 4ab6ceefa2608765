/** Ends processes without asking them. */
import { signalGroup } from "../../local/process/group.ts";

/** SIGKILL for one process. Throws for 0, "does not run", which the kernel would take for the test's own group. */
export function killProcess(pid: number | undefined): void {
  if (pid === undefined || pid <= 0) throw new RangeError(`no process to kill: ${pid}`);
  process.kill(pid, "SIGKILL");
}

/** SIGKILL for a process group. */
export const killGroup = (group: number): void => signalGroup(group, "SIGKILL");
