/** One line a request: route, status, outcome and duration. */
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { log } from "../../log.ts";
import type { HonoEnv } from "../context.ts";

export const requestLog = createMiddleware<HonoEnv>(async (c, next) => {
  const started = performance.now();
  await next();
  log("info", "request", {
    requestId: c.get("requestId"),
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    outcome: c.get("outcome"),
    ms: Math.round(performance.now() - started),
  });
});
