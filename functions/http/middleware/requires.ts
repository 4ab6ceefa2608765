/** Requires credentials that allow what a route does: 401 without valid ones, 403 when they allow something else. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { DomainError } from "../../domain/errors.ts";
import {
  requireGame,
  requireScope,
  type Authenticated,
  type Caller,
  type Scope,
} from "../../services/access/callers.ts";
import { bearerToken } from "../bearer.ts";
import type { HonoEnv } from "../context.ts";
import { orUnavailable } from "../../services/or-unavailable.ts";

/** `period` of the rate-limit bindings in wrangler.toml. */
export const EDGE_PERIOD_SECONDS = 60;

/** Who is behind the request's credentials, or why nobody is. */
export async function authenticated(c: Context<HonoEnv>): Promise<Authenticated> {
  const header = c.req.header("authorization");
  if (header === undefined) return { refusal: "Send credentials: `Authorization: Bearer <key or token>`." };
  const token = bearerToken(header);
  if (token === undefined) return { refusal: "The Authorization header is not `Bearer`, a space, and a key or token." };
  return orUnavailable(c.get("deps").authenticate(token));
}

async function withinPlayerLimit(c: Context<HonoEnv>, caller: Caller): Promise<void> {
  const { player } = caller;
  if (player === undefined || (await c.get("deps").edgeLimits.player(c.req.param("game") ?? "", player))) return;
  throw new DomainError("rate-limited", "This player sends too many requests.", {
    retryAfterSeconds: EDGE_PERIOD_SECONDS,
  });
}

/** `orPlayer`: a player token will do as well; what it may submit is checked by the route. */
export function requires(scope: Scope, { orPlayer = false } = {}) {
  return createMiddleware<HonoEnv>(async (c, next) => {
    const found = await authenticated(c);
    if ("refusal" in found) {
      const takes = orPlayer ? "a server key or a player token" : "a server key";
      throw new DomainError("unauthorized", `${found.refusal} This route takes ${takes}.`);
    }
    const { caller } = found;
    requireGame(caller, c.req.param("game") ?? "");
    if (!orPlayer || caller.kind !== "player") requireScope(caller, scope);
    await withinPlayerLimit(c, caller);
    c.set("caller", caller);
    await next();
  });
}
