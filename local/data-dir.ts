/** The folder in which a stack keeps everything, and the disk below it. */
import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from "node:fs";
import path from "node:path";
import { reasonOf } from "./failure.ts";

const MEBIBYTE = 1024 * 1024;
/** An empty database cluster with its log of 16 MiB a piece, and some evenings of the demo. */
const TO_START = 256 * MEBIBYTE;
/** Postgres stops taking writes when it cannot extend its log. */
const TO_GO_ON = 48 * MEBIBYTE;
const LOOK_EVERY_MS = 5_000;

/** Makes the folder. Throws in words when it cannot be one. */
export function prepareDataDir(dataDir: string): void {
  const complain = (what: string) => new Error(`DATA_DIR ${dataDir} ${what}. Choose another folder with DATA_DIR`);
  if (existsSync(dataDir) && !statSync(dataDir).isDirectory()) throw complain("is a file, not a folder");
  try {
    makeFolder(path.join(dataDir, "logs"));
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw complain(`cannot be written to: ${reasonOf(error)}`);
  }
  requireSpace(dataDir);
}

/** One after the other: below /proc, where nobody can make a folder, Node's `recursive` tries for ever. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** What is wrong with the space that a folder's disk has left; undefined when there is enough. */
export function spaceComplaint(folder: string, neededBytes: number): string | undefined {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= neededBytes) return undefined;
  const mebibytes = (bytes: number) => `${Math.floor(bytes / MEBIBYTE).toLocaleString("en")} MiB`;
  return `the disk of ${folder} is full: ${mebibytes(bavail * bsize)} left, ${mebibytes(neededBytes)} needed`;
}

/** Throws when a folder's disk has no room for a stack. */
export function requireSpace(folder: string): void {
  const complaint = spaceComplaint(folder, TO_START);
  if (complaint !== undefined) throw new Error(complaint);
}

/** Says once each time that a disk runs full while the stack runs: until then its stores only answer with errors. */
export function watchSpace(
  folders: readonly string[],
  say: (line: string) => void,
  { everyMs = LOOK_EVERY_MS, neededBytes = () => TO_GO_ON } = {},
): { readonly stop: () => void; readonly full: () => string[] } {
  const full = new Set<string>();
  const timer = setInterval(() => {
    for (const folder of folders) {
      const complaint = spaceComplaint(folder, neededBytes());
      if (complaint === undefined) full.delete(folder);
      else if (!full.has(folder)) {
        full.add(folder);
        say(`${complaint}. Submissions fail until there is room`);
      }
    }
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer), full: () => [...full] };
}
