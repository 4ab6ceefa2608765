/**
 * Prepares and loads the ranking library. No I/O of its own: the caller brings a way to send a command, so that the
 * Worker, the local stack and the tests load the same text by the same rules.
 */

/** Upstash wants `allow-key-locking` on every function; Redis 7 refuses to load a function that has it. */
export type RedisTarget = "redis" | "upstash";

/** Sends one command; rejects when it is refused. */
export type SendCommand = (command: readonly [string, ...string[]]) => Promise<unknown>;

export const LIBRARY_NAME = "leaderboard_v2";

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

/** Whether Redis has the library, by what it lists: servers say "there is no such function" in words of their own. */
export async function isLoaded(send: SendCommand): Promise<boolean> {
  const libraries = await send(["FUNCTION", "LIST", "LIBRARYNAME", LIBRARY_NAME]);
  return Array.isArray(libraries) && libraries.length > 0;
}

/** The release that Redis has; undefined when it has none. */
export async function loadedRelease(send: SendCommand): Promise<number | undefined> {
  return (await isLoaded(send)) ? Number(await send(["FCALL", "lb_release_v2", "0"])) : undefined;
}

/**
 * Loads the library unless Redis has this release or a newer one: of two Workers that run side by side, the older
 * one never takes the newer one's functions away.
 */
export async function loadLibrary(
  send: SendCommand,
  text: string,
  target: RedisTarget,
): Promise<"loaded" | "current" | "newer"> {
  const ours = releaseOf(text);
  const loaded = await loadedRelease(send);
  if (loaded === ours) return "current";
  if (loaded !== undefined && loaded > ours) return "newer";
  await send(["FUNCTION", "LOAD", "REPLACE", librarySource(text, target)]);
  return "loaded";
}
