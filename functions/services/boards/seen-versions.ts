/**
 * The newest version of each board that this isolate gave out. A read from Postgres may have what Redis gets a moment (or an
 * outage) later; then a read from Redis would go back.
 */
import { isNewer } from "../../contract/live.ts";
import { createMemory } from "../memory.ts";

const KEPT_MS = 300_000;

const seen = createMemory<{ readonly version: string; readonly until: number }>();

const keyOf = (game: string, board: string) => `${game}\n${board}`;

function newest(key: string, nowMs: number): string {
  const known = seen.get(key);
  return known && known.until > nowMs ? known.version : "0";
}

/** Whether a newer board has been shown already. */
export function isBehind(game: string, board: string, version: string, nowMs: number): boolean {
  return isNewer(newest(keyOf(game, board), nowMs), version);
}

/** Notes that a board of this version is given out; the version to give it, which never goes down. */
export function noteVersion(game: string, board: string, version: string, nowMs: number): string {
  const key = keyOf(game, board);
  const known = newest(key, nowMs);
  if (!isNewer(version, known)) return known === "0" ? version : known;
  seen.set(key, { version, until: nowMs + KEPT_MS });
  return version;
}
