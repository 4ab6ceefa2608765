/** CPU time of the stack's processes, by component. */
import { readdirSync, readFileSync } from "node:fs";
import type { Stack } from "../../local/stack.ts";

/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly ms: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses and may hold spaces.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    // User and system time of the process, and of children that have ended (Postgres' backends).
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), ms: ticks * TICK_MS };
  } catch {
    return undefined; // it ended in between
  }
}

/** Milliseconds so far of each process with its children, by the names that the pids have. */
export function cpuMsOf(pids: Readonly<Record<string, number>>): Record<string, number> {
  const stats = readdirSync("/proc").flatMap((entry) => (/^\d+$/.test(entry) ? [statOf(Number(entry))] : []));
  const known = stats.filter((stat) => stat !== undefined);
  const used = Object.entries(pids).map(([name, pid]) => {
    const own = known.filter((stat) => stat.pid === pid || stat.parent === pid);
    return [name, own.reduce((sum, { ms }) => sum + ms, 0)] as const;
  });
  return Object.fromEntries(used);
}

/** The same of each component of a stack. */
export function cpuMs({ info }: Stack): Record<string, number> {
  const { stack: _, ...components } = info.pids;
  return cpuMsOf(components);
}
