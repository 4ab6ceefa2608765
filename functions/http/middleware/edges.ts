/** Who may embed, read and run what comes from here. */
import type { Context } from "hono";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import type { HonoEnv } from "../context.ts";

/** JSON needs nothing; a page brings a policy of its own. */
const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For everything that says nothing else. */
export const contentPolicy = createMiddleware<HonoEnv>(async (c, next) => {
  await next();
  if (!c.res.headers.has("content-security-policy")) c.res.headers.set("content-security-policy", NOTHING);
});

/** Every answer tells the time, also where no edge adds it: clients measure by it how far off their own clock is. */
export const dated = createMiddleware<HonoEnv>(async (c, next) => {
  await next();
  c.res.headers.set("date", new Date().toUTCString());
});

/**
 * The API is public and takes no cookies, so that a page of any allowed origin may read it (docs/security.md). Switched off
 * is what concerns windows, plug-ins and browsers that are gone: each header is bytes on every answer.
 */
export const headers = secureHeaders({
  crossOriginResourcePolicy: "cross-origin",
  xFrameOptions: "DENY",
  referrerPolicy: "no-referrer",
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** No list of headers: a preflight answers with those that were asked for, since tracing tools add theirs to any request. */
const SHARED = {
  allowMethods: ["GET", "POST", "PUT", "DELETE"],
  exposeHeaders: ["Date", "Retry-After", "Server-Timing", "Idempotency-Key", "Edgeboard-Source", "Edgeboard-Degraded"],
  maxAge: 86_400,
};

const nothingMore = () => Promise.resolve();

/**
 * Before authentication, so that preflights pass and refusals can be read. `origins`: `*` or exact ones. Answers get their
 * headers when they are there: headers set before are a response of their own, which Hono then copies from.
 */
export function crossOrigin(origins: (bindings: HonoEnv["Bindings"]) => readonly string[]) {
  const anyOrigin = cors({ ...SHARED, origin: "*" });
  const listedOrigins = cors({
    ...SHARED,
    origin: (origin, c: Context<HonoEnv>) => (origins(c.env).includes(origin) ? origin : null),
  });
  return createMiddleware<HonoEnv>(async (c, next) => {
    const policy = origins(c.env).includes("*") ? anyOrigin : listedOrigins;
    if (c.req.method === "OPTIONS") return policy(c, next);
    await next();
    await policy(c, nothingMore);
    return undefined;
  });
}
