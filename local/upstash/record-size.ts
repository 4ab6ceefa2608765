import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import type { RedisCommand } from "./commands.ts";
import { send } from "./upstream.ts";

/** Commands that may make their key larger; reads and deletes are never refused for its size. */
export const GROWING: ReadonlySet<string> = new Set(
  (
    "APPEND GEOADD GETSET HINCRBY HINCRBYFLOAT HMSET HSET HSETNX LINSERT LPUSH LPUSHX PFADD PSETEX RPUSH RPUSHX SADD SET SETBIT " +
    "SETEX SETNX SETRANGE XADD ZADD ZINCRBY"
  ).split(" "),
);

/** Far more than an argument adds to its key, besides its own bytes. */
const OVERHEAD = 128;
/** Arguments of one command whose lengths are added up; of more, an average is enough. */
const MOST_MEASURED = 32;
const MOST_REMEMBERED = 10_000;
const REFUSAL = "ERR max single record size exceeded";

/** How much keys may still grow. Redis is asked for a key's size when what was added since could have filled it up. */
export class RecordSizes {
  readonly #redis: Redis;
  readonly #limit: number;
  readonly #left = new LRUCache<string, number>({ max: MOST_REMEMBERED });

  constructor(redis: Redis, limit: number) {
    this.#redis = redis;
    this.#limit = limit;
  }

  /** The vendor's refusal of a growing command whose key is full. */
  async refusal([, key = "", ...rest]: RedisCommand): Promise<string | undefined> {
    const added = rest.reduce((sum, argument) => sum + argument.length + OVERHEAD, 0);
    let left = (this.#left.get(key) ?? 0) - added;
    if (left < 0) {
      const usage = await send(this.#redis, ["MEMORY", "USAGE", key, "SAMPLES", "5"]);
      const size = "reply" in usage ? Number(usage.reply ?? 0) : 0;
      if (size >= this.#limit) {
        // Even the smallest addition asks again: the key may have been deleted.
        this.#left.delete(key);
        return REFUSAL;
      }
      left = this.#limit - size;
    }
    this.#left.set(key, left);
    return undefined;
  }
}

/**
 * The same for commands inside of functions. What a function adds is seen only there, so a library that is loaded gets
 * these lines in front: its `redis.call` and `redis.pcall` measure as RecordSizes does, and refuse as the vendor does.
 * While a library is loaded, Redis has no globals but `redis`, and another one than later: `api` finds that of the call.
 */
const prelude = (limit: number): string =>
  `
local function api() return redis end
local redis = (function(at_load)
  local GROWING = { ${[...GROWING].flatMap((name) => [name, name.toLowerCase()].map((key) => `${key} = true`)).join(", ")} }
  local left, known = {}, 0
  local function growth(key, ...)
    local count = select('#', ...)
    local bytes = count * ${OVERHEAD}
    if count > ${MOST_MEASURED} then
      return key, 2 * bytes
    end
    for i = 1, count do
      bytes = bytes + #tostring((select(i, ...)))
    end
    return key, bytes
  end
  local function full(key, bytes)
    local room = (left[key] or 0) - bytes
    if room < 0 then
      local size = api().call('MEMORY', 'USAGE', key, 'SAMPLES', '5') or 0
      if size >= ${limit} then
        left[key] = left[key] and 0
        return true
      end
      room = ${limit} - size
    end
    if not left[key] then
      known = known + 1
      if known > ${MOST_REMEMBERED} then
        left, known = {}, 1
      end
    end
    left[key] = room
    return false
  end
  return {
    register_function = at_load.register_function,
    call = function(name, ...)
      if GROWING[name] and full(growth(...)) then
        error('${REFUSAL}', 0)
      end
      return api().call(name, ...)
    end,
    pcall = function(name, ...)
      if GROWING[name] and full(growth(...)) then
        return api().error_reply('${REFUSAL}')
      end
      return api().pcall(name, ...)
    end,
    log = function(...) return api().log(...) end,
    sha1hex = function(...) return api().sha1hex(...) end,
    error_reply = function(...) return api().error_reply(...) end,
    status_reply = function(...) return api().status_reply(...) end,
  }
end)(redis)
`
    .trim()
    .replaceAll(/\s*\n\s*/g, " ");

/** A command as it is; FUNCTION LOAD with the check in the library, on one line, so that errors name the right lines. */
export function withSizeCheck(command: RedisCommand, verb: string, limit: number): RedisCommand {
  const [name, ...rest] = command;
  const text = rest.at(-1);
  if (verb !== "FUNCTION" || rest[0]?.toUpperCase() !== "LOAD" || !text?.startsWith("#!")) return command;
  const end = text.indexOf("\n");
  return [name, ...rest.slice(0, -1), `${text.slice(0, end + 1)}${prelude(limit)} ${text.slice(end + 1)}`];
}
