import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { ROOT } from "./paths.ts";
import { endGroup } from "./process/group.ts";
import { bootId, commandLine, groupMembers, identify, isRunning, type ProcessIdentity } from "./process/table.ts";

const GRACE_MS = 10_000;

const processIdentity = z.object({ pid: z.int(), startTicks: z.int() });
const record = z.object({ bootId: z.string(), stack: processIdentity, groups: z.array(processIdentity) });

/**
 * Takes a DATA_DIR for this process. Throws when another stack has it; ends what a stack that was killed left running.
 */
export async function claim(dataDir: string, say: (line: string) => void): Promise<void> {
  const previous = read(dataDir);
  if (previous !== undefined && previous.bootId === bootId()) {
    if (isRunning(previous.stack)) {
      throw new Error(
        `another stack (pid ${previous.stack.pid}) runs on ${dataDir}. Stop it, or choose another folder with DATA_DIR`,
      );
    }
    const orphans = previous.groups.filter((leader) => isRunning(leader) || hasOurOrphans(leader.pid));
    if (orphans.length > 0) say(`ending ${orphans.length} processes that an earlier stack left behind`);
    await Promise.all(orphans.map(({ pid }) => endGroup(pid, "SIGINT", GRACE_MS)));
  }
  remember(dataDir, []);
}

/** Notes what runs, so that the next start can tell our processes from others with the same pid. */
export function remember(dataDir: string, pids: readonly number[]): void {
  const stack = identify(process.pid) ?? { pid: process.pid, startTicks: 0 };
  const groups = pids.map(identify).filter((identity): identity is ProcessIdentity => identity !== undefined);
  writeFileSync(file(dataDir), JSON.stringify({ bootId: bootId(), stack, groups }), { mode: 0o600 });
}

/** Gives a DATA_DIR back: the next start, also one in this process, finds it free. */
export function release(dataDir: string): void {
  rmSync(file(dataDir), { force: true });
}

/** Whether a group outlives its leader with programs of this clone in it (a dev server's workerd). */
function hasOurOrphans(group: number): boolean {
  return identify(group) === undefined && groupMembers(group).some((pid) => commandLine(pid).includes(ROOT));
}

function read(dataDir: string): z.infer<typeof record> | undefined {
  if (!existsSync(file(dataDir))) return undefined;
  // A file cut short by a crash says nothing about who runs.
  try {
    return record.parse(JSON.parse(readFileSync(file(dataDir), "utf8")));
  } catch {
    return undefined;
  }
}

function file(dataDir: string): string {
  return path.join(dataDir, "processes.json");
}
