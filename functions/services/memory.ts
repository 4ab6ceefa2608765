/**
 * What an isolate remembers between requests: plain values, so sharing them is safe, and bounded, since it has 128 MB for
 * everything and may meet every game there is. What was not asked for longest goes first; nothing depends on any of it.
 */
import { LRUCache } from "lru-cache";

const MOST_REMEMBERED = 10_000;

/** A memory of its own. `most` entries, however many games there are. */
export const createMemory = <V extends object | number | boolean>(most = MOST_REMEMBERED) =>
  new LRUCache<string, V>({ max: most });
