/** A RESP2 reply as ioredis gives it when asked for buffers. */
export type RedisReply = Buffer | number | null | Error | RedisReply[];

/** What may stand in `result`. */
export type JsonReply = string | number | null | JsonReply[];

/**
 * A reply in the vendor's JSON. In base64 every string is encoded, also inside arrays, because the client decodes
 * every string it finds; integers, nulls and errors stay as they are.
 */
export function encodeReply(reply: RedisReply, base64: boolean): JsonReply {
  if (reply === null || typeof reply === "number") return reply;
  if (Array.isArray(reply)) return reply.map((item: RedisReply) => encodeReply(item, base64));
  // An error inside of an array has no other place to go; at the top it becomes `error`.
  const text = reply instanceof Error ? Buffer.from(reply.message) : reply;
  return text.toString(base64 ? "base64" : "utf8");
}
