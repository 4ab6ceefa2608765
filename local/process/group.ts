import { setTimeout as sleep } from "node:timers/promises";
import { groupMembers } from "./table.ts";

const POLL_MS = 20;

/** Signals a whole process group; a group that is gone is no error. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  // 0 is a component that does not run at the moment; to the kernel it is the caller's own group.
  if (group <= 0) throw new RangeError(`no process group to signal: ${group}`);
  try {
    process.kill(-group, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Ends a process group: the signal, then SIGKILL for what is left after `graceMs`. Resolves when no process is left. */
export async function endGroup(group: number, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  signalGroup(group, signal);
  if (await groupEnds(group, graceMs)) return;
  signalGroup(group, "SIGKILL");
  await groupEnds(group, graceMs);
}

async function groupEnds(group: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (groupMembers(group).length > 0) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ESRCH";
}
