/** One line a request: route, ids, outcome, and how long it took, step by step; the same times go to the client. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { log } from "../../log.ts";
import type { StepFields } from "../../services/timings.ts";
import type { HonoEnv } from "../context.ts";

/** `Server-Timing: postgres;dur=4.2, redis;dur=1.3, total;dur=6` */
function serverTiming(steps: StepFields, totalMs: number): string {
  const parts = Object.entries(steps).flatMap(([name, ms]) => (name.endsWith("Ms") ? [[name.slice(0, -2), ms]] : []));
  return [...parts, ["total", totalMs]].map(([name, ms]) => `${name};dur=${ms}`).join(", ");
}

/** Set by the middleware that makes them, which a request that was refused earlier did not reach. */
function stepsOf(c: Context<HonoEnv>): StepFields {
  return "deps" in c.var ? c.get("deps").timings.lap() : {};
}

/** A 503 is a dependency's outage and heals by itself; any other 5xx is a mistake of ours. */
function levelOf(status: number): "info" | "warn" | "error" {
  if (status < 500) return "info";
  return status === 503 ? "warn" : "error";
}

export const requestLog = createMiddleware<HonoEnv>(async (c, next) => {
  const started = performance.now();
  await next();
  const ms = Math.round((performance.now() - started) * 10) / 10;
  const steps = stepsOf(c);
  // Not c.header(): on a finished response that makes a new one each time.
  c.res.headers.set("Server-Timing", serverTiming(steps, ms));
  // Lets pages of other origins read the header in their performance entries.
  c.res.headers.set("Timing-Allow-Origin", "*");
  log(levelOf(c.res.status), "request", {
    requestId: c.get("requestId"),
    ray: c.req.header("cf-ray"),
    method: c.req.method,
    route: routePath(c, -1),
    game: c.req.param("game"),
    status: c.res.status,
    outcome: c.get("outcome"),
    submissionId: c.get("submissionId"),
    ms,
    ...steps,
  });
});
