/**
 * Server keys: the one of the environment, good for everything, and those of the database,
 * `eb_<prefix>_<secret>`: the public prefix finds the row, whose SHA-256 the secret has to match.
 */
import type { Caller, Scope } from "../../services/access/callers.ts";
import { createMemory } from "../../services/memory.ts";
import { equalBytes, fromHex, sha256, utf8 } from "./secrets.ts";

export type StoredKey = {
  readonly game: string;
  /** SHA-256 of the secret, hex. */
  readonly hash: string;
  readonly scopes: readonly Scope[];
  /** When a revocation that is already written takes effect; undefined = it is not revoked. */
  readonly endsAtMs: number | undefined;
};

export type ServerKeyOptions = {
  readonly environmentKey: string | undefined;
  /** The key of a prefix, undefined when there is none that is still good. */
  readonly find: (prefix: string) => Promise<StoredKey | undefined>;
  readonly now: () => number;
};

/** How long an isolate trusts what it read: a revoked key stops within this time, a new one works within the other. */
const KNOWN_FOR_MS = 30_000;
const UNKNOWN_FOR_MS = 2_000;

const KEY = /^eb_([A-Za-z0-9]{8,32})_([A-Za-z0-9_-]{43,128})$/;
const ALL_SCOPES: ReadonlySet<Scope> = new Set(["submit", "backdate", "admin"]);
const ENVIRONMENT: Caller = {
  kind: "server-key",
  scopes: ALL_SCOPES,
  games: undefined,
  name: "env",
  player: undefined,
};

type Remembered<T> = { readonly value: T; readonly atMs: number };

/** Plain values, so sharing them between the requests of an isolate is safe. */
const known = createMemory<Remembered<StoredKey>>();
const unknown = createMemory<Remembered<true>>();
let environmentHash: { readonly of: string; readonly hash: Uint8Array } | undefined;

type Memory<T> = ReturnType<typeof createMemory<Remembered<T>>>;

function getFresh<T>(map: Memory<T>, prefix: string, oldestMs: number): T | undefined {
  const found = map.get(prefix);
  return found && found.atMs > oldestMs ? found.value : undefined;
}

async function matches(key: StoredKey, secret: string, nowMs: number): Promise<boolean> {
  const hash = fromHex(key.hash);
  if (!hash || (key.endsAtMs !== undefined && key.endsAtMs <= nowMs)) return false;
  return equalBytes(await sha256(utf8(secret)), hash);
}

async function findKey(options: ServerKeyOptions, prefix: string): Promise<StoredKey | undefined> {
  const now = options.now();
  const held = getFresh(known, prefix, now - KNOWN_FOR_MS);
  if (held) return held;
  if (getFresh(unknown, prefix, now - UNKNOWN_FOR_MS)) return undefined;
  const found = await options.find(prefix);
  if (found) known.set(prefix, { value: found, atMs: now });
  else {
    known.delete(prefix);
    unknown.set(prefix, { value: true, atMs: now });
  }
  return found;
}

/** Costs one digest: the environment's side is hashed once an isolate. */
export async function isEnvironmentKey(token: string, environmentKey: string | undefined): Promise<boolean> {
  if (environmentKey === undefined) return false;
  if (environmentHash?.of !== environmentKey) {
    environmentHash = { of: environmentKey, hash: await sha256(utf8(environmentKey)) };
  }
  return equalBytes(await sha256(utf8(token)), environmentHash.hash);
}

/** The caller behind a server key; undefined when it is not valid. Throws DependencyError when it cannot be told. */
export async function serverKeyCaller(token: string, options: ServerKeyOptions): Promise<Caller | undefined> {
  if (await isEnvironmentKey(token, options.environmentKey)) return ENVIRONMENT;
  const [, prefix, secret] = KEY.exec(token) ?? [];
  if (prefix === undefined || secret === undefined) return undefined;
  const key = await findKey(options, prefix);
  if (!key || !(await matches(key, secret, options.now()))) return undefined;
  return {
    kind: "server-key",
    scopes: new Set(key.scopes),
    games: new Set([key.game]),
    name: prefix,
    player: undefined,
  };
}

/**
 * Whether this isolate has seen the key to be good; asks no store. Also when it has to ask again what the key may do: that is one
 * question in `KNOWN_FOR_MS`, and a key that is gone is forgotten by it.
 */
export async function isKnownServerKey(token: string, options: ServerKeyOptions): Promise<boolean> {
  if (await isEnvironmentKey(token, options.environmentKey)) return true;
  const [, prefix, secret] = KEY.exec(token) ?? [];
  const held = prefix === undefined ? undefined : known.get(prefix)?.value;
  return held !== undefined && secret !== undefined && matches(held, secret, options.now());
}
