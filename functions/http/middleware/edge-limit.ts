/**
 * Limits requests per address, before anything asks a store: a key that nobody has seen is looked up in one. This machine is
 * not limited: at Cloudflare's edge no request comes from a loopback address, so that local tests and benchmarks need no other
 * configuration.
 */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { DomainError } from "../../domain/errors.ts";
import { bearerToken } from "../bearer.ts";
import type { HonoEnv } from "../context.ts";
import { EDGE_PERIOD_SECONDS } from "./requires.ts";

const READS: readonly string[] = ["GET", "HEAD"];
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** What one customer has: an IPv4 address, or the 64-bit prefix of an IPv6 one. */
export function limitedAddress(address: string | undefined): string | undefined {
  if (address === undefined || address === "" || LOOPBACK.test(address)) return undefined;
  if (!address.includes(":")) return address;
  const [head = "", tail = ""] = address.toLowerCase().split("::");
  const front = head.split(":").filter((group) => group !== "");
  const back = tail.split(":").filter((group) => group !== "");
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return [...front, ...zeros, ...back].slice(0, 4).join(":");
}

/** A server key that this isolate knows; and a player's own writes, which `PLAYER_LIMIT` bounds: many share an address. */
async function isExempt(c: Context<HonoEnv>): Promise<boolean> {
  const token = bearerToken(c.req.header("authorization"));
  const kind = token === undefined ? undefined : await c.get("deps").recognise(token);
  return kind === "server-key" || (kind === "player" && !READS.includes(c.req.method));
}

export const limitAddresses = createMiddleware<HonoEnv>(async (c, next) => {
  const address = limitedAddress(c.req.header("cf-connecting-ip"));
  if (address !== undefined && !(await isExempt(c)) && !(await c.get("deps").edgeLimits.address(address))) {
    throw new DomainError("rate-limited", "This address sends too many requests.", {
      retryAfterSeconds: EDGE_PERIOD_SECONDS,
    });
  }
  await next();
});
