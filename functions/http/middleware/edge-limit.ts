/**
 * Limits requests per address, before anything asks a store: an unknown key is looked up in one. This machine is
 * not limited: at Cloudflare's edge no request comes from a loopback address, so that local tests and benchmarks need no other
 * configuration.
 */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { limitedAddress } from "../../domain/address.ts";
import { DomainError } from "../../domain/errors.ts";
import { bearerToken } from "../bearer.ts";
import type { HonoEnv } from "../context.ts";
import { EDGE_PERIOD_SECONDS } from "./requires.ts";

const READS: readonly string[] = ["GET", "HEAD"];

/**
 * A server key that this isolate knows; a player's own writes, which `PLAYER_LIMIT` bounds: many share an address; and the
 * reads of rooms, which share their addresses with other rooms.
 */
async function isExempt(c: Context<HonoEnv>): Promise<boolean> {
  const token = bearerToken(c.req.header("authorization"));
  if (token === undefined) return false;
  const { recognise, isRoom } = c.get("deps");
  const kind = await recognise(token);
  if (READS.includes(c.req.method)) return kind === "server-key" || (await isRoom(token));
  return kind !== undefined;
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
