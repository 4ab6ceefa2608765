/** A RESP2 reply as ioredis gives it when asked for buffers. */
export type RedisReply = Buffer | string | number | null | Error | readonly RedisReply[];

/** What may stand in `result`. */
export type JsonReply = string | number | null | JsonReply[];

/**
 * A reply in the vendor's JSON. In base64 every string is encoded, also inside arrays, because the client decodes
 * every string it finds; integers, nulls and errors stay as they are.
 */
export function encodeReply(reply: RedisReply, base64: boolean): JsonReply {
  if (reply === null || typeof reply === "number") return reply;
  if (Buffer.isBuffer(reply)) return reply.toString(base64 ? "base64" : "utf8");
  if (typeof reply === "string") return base64 ? Buffer.from(reply).toString("base64") : reply;
  if (reply instanceof Error) return base64 ? Buffer.from(reply.message).toString("base64") : reply.message;
  return reply.map((item) => encodeReply(item, base64));
}
