/**
 * Limits public reads per address. A server key is never limited, nor is this machine: at Cloudflare's edge no request
 * comes from a loopback address, so that local tests and benchmarks need no other configuration.
 */
import { createMiddleware } from "hono/factory";
import { DomainError } from "../../domain/errors.ts";
import type { HonoEnv } from "../context.ts";
import { callerOf, EDGE_PERIOD_SECONDS } from "./requires.ts";

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

export const limitReads = createMiddleware<HonoEnv>(async (c, next) => {
  const address = c.req.method === "GET" ? limitedAddress(c.req.header("cf-connecting-ip")) : undefined;
  if (address !== undefined && !(await c.get("deps").edgeLimits.address(address))) {
    if ((await callerOf(c))?.kind !== "server-key") {
      throw new DomainError("rate-limited", "This address sends too many requests.", {
        retryAfterSeconds: EDGE_PERIOD_SECONDS,
      });
    }
  }
  await next();
});
