import { readdirSync, readFileSync } from "node:fs";

/** Which process: a pid alone may be used again by another program, its start time tells them apart. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTicks: number;
}

interface ProcessStat extends ProcessIdentity {
  readonly group: number;
  readonly state: string;
}

/** Changes with every boot of the machine; start times are counted from it. */
export function bootId(): string {
  return readText("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
}

/** The identity of a running process, undefined when it does not run. */
export function identify(pid: number): ProcessIdentity | undefined {
  const stat = readStat(pid);
  return stat === undefined || stat.state === "Z" ? undefined : { pid, startTicks: stat.startTicks };
}

/** Whether exactly this process still runs. */
export function isRunning(process: ProcessIdentity): boolean {
  return identify(process.pid)?.startTicks === process.startTicks;
}

/** A check whether one of several processes runs; it looks for them again only when the one it knew is gone. */
export function aliveAmong(find: () => readonly number[]): () => boolean {
  let known: ProcessIdentity | undefined;
  return () => {
    if (known !== undefined && isRunning(known)) return true;
    const [pid] = find();
    known = pid === undefined ? undefined : identify(pid);
    return known !== undefined;
  };
}

/** The pids of a process group, zombies left out. */
export function groupMembers(group: number): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => readStat(Number(entry)))
    .filter((stat) => stat?.group === group && stat.state !== "Z")
    .map((stat) => stat?.pid ?? 0);
}

/** The command line of a process, arguments apart by spaces; empty when it does not run. */
export function commandLine(pid: number): string {
  return (readText(`/proc/${pid}/cmdline`) ?? "").replaceAll("\0", " ").trim();
}

/** The pids of the workerd processes in a group. */
export function workerdsOf(group: number): number[] {
  return groupMembers(group).filter((pid) => commandLine(pid).includes("/workerd serve "));
}

function readStat(pid: number): ProcessStat | undefined {
  const text = readText(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The second field is the program's name in parentheses and may hold spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, group, startTicks] = [fields[0], fields[2], fields[19]];
  if (state === undefined || group === undefined || startTicks === undefined) return undefined;
  return { pid, state, group: Number(group), startTicks: Number(startTicks) };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // the process ended in between
  }
}
