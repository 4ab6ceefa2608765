/** A command that cannot be sent: its text is the `error` of the answer. */
export class BadCommand extends Error {}

/** A command as text, the way it goes to Redis. */
export type RedisCommand = readonly [string, ...string[]];

// Connection state is shared here as it is at the vendor's, who refuses these over REST.
const REFUSED = new Set([
  "AUTH",
  "BLMOVE",
  "BLMPOP",
  "BLPOP",
  "BRPOP",
  "BRPOPLPUSH",
  "BZMPOP",
  "BZPOPMAX",
  "BZPOPMIN",
  "CLIENT",
  "DISCARD",
  "EXEC",
  "HELLO",
  "MONITOR",
  "MULTI",
  "PSUBSCRIBE",
  "PUNSUBSCRIBE",
  "QUIT",
  "REPLICAOF",
  "RESET",
  "SELECT",
  "SHUTDOWN",
  "SSUBSCRIBE",
  "SUBSCRIBE",
  "SUNSUBSCRIBE",
  "SYNC",
  "PSYNC",
  "UNSUBSCRIBE",
  "UNWATCH",
  "WAIT",
  "WAITAOF",
  "WATCH",
]);
const STREAM_READS = new Set(["XREAD", "XREADGROUP"]);

/** Parses the body of `/`. */
export function parseCommand(body: string): RedisCommand {
  return toCommand(parseJson(body));
}

/** Parses the body of `/pipeline` and `/multi-exec`. */
export function parseCommands(body: string): RedisCommand[] {
  const parsed = parseJson(body);
  if (!Array.isArray(parsed))
    throw new BadCommand("ERR failed to parse pipeline request: an array of commands is expected");
  return parsed.map(toCommand);
}

function parseJson(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body);
    // Looking at the source of every value takes longer than parsing: only numbers that JavaScript spells otherwise need it.
    return isSpelledAlike(parsed) ? parsed : JSON.parse(body, keepNumberText);
  } catch {
    throw new BadCommand("ERR failed to parse request body as JSON");
  }
}

const isSpelledAlike = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isSpelledAlike) : typeof value !== "number" || Number.isSafeInteger(value);

/** Numbers go to Redis with the digits they were sent with: beyond 2^53 a JavaScript number would change them. */
function keepNumberText(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === "number" ? (context?.source ?? String(value)) : value;
}

function toCommand(value: unknown): RedisCommand {
  if (!Array.isArray(value)) throw new BadCommand("ERR failed to parse command: an array is expected");
  const [name, ...args] = value.map(toArgument);
  if (name === undefined || name === "") throw new BadCommand("ERR empty command");
  const verb = name.toUpperCase();
  const blocks = STREAM_READS.has(verb) && args.some((arg) => arg.toUpperCase() === "BLOCK");
  if (REFUSED.has(verb) || blocks)
    throw new BadCommand(
      `ERR Command is not available: '${name}'. See https://upstash.com/docs/redis/overall/compatibility`,
    );
  return [name, ...args];
}

function toArgument(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  // The vendor's reading of null is unknown; refusing it catches an undefined argument early.
  throw new BadCommand("ERR failed to parse command: arguments are strings, numbers or booleans");
}
