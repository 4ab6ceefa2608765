/**
 * Prepares and loads the ranking library. No I/O of its own: a port brings the two calls it needs, so that the
 * Worker, the local stack and the tests load the same text by the same rules.
 */

/** Upstash wants `allow-key-locking` on every function; Redis 7 refuses to load a function that has it. */
export type RedisTarget = "redis" | "upstash";

export type LibraryPort = {
  /** FUNCTION LOAD REPLACE. */
  load(code: string): Promise<unknown>;
  /** What lb_release_v2 answers; undefined when Redis does not know the function. */
  release(): Promise<number | undefined>;
};

const LOCKING_MARKER = "local LOCKING = {}";
const LOCKING_FLAG = "local LOCKING = {'allow-key-locking'}";
const RELEASE_LINE = /^local RELEASE = (\d+)$/m;

/** The text to load: flags of the target filled in, and `#!lua` in the very first byte, as Redis demands. */
export function librarySource(text: string, target: RedisTarget): string {
  if (!text.includes(LOCKING_MARKER)) throw new Error(`the library lacks the line "${LOCKING_MARKER}"`);
  const source = text.trimStart();
  return target === "upstash" ? source.replace(LOCKING_MARKER, LOCKING_FLAG) : source;
}

/** The release number that a library text carries; it rises with every change within a contract version. */
export function releaseOf(text: string): number {
  const match = RELEASE_LINE.exec(text);
  if (!match) throw new Error('the library lacks the line "local RELEASE = <number>"');
  return Number(match[1]);
}

/**
 * Loads the library unless Redis has this release or a newer one: of two Workers that run side by side, the older
 * one never takes the newer one's functions away.
 */
export async function loadLibrary(
  port: LibraryPort,
  text: string,
  target: RedisTarget,
): Promise<"loaded" | "current" | "newer"> {
  const ours = releaseOf(text);
  const loaded = await port.release();
  if (loaded === ours) return "current";
  if (loaded !== undefined && loaded > ours) return "newer";
  await port.load(librarySource(text, target));
  return "loaded";
}
