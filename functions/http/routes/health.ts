/** GET /healthz and /readyz */
import { createRoute, z } from "@hono/zod-openapi";
import type { Deps } from "../../services/ports.ts";
import { json } from "../responses.ts";
import type { App } from "../app-type.ts";

const Health = z.object({ status: z.literal("ok") }).meta({ id: "Health" });
const Readiness = z
  .object({
    status: z.enum(["ok", "unavailable"]),
    dependencies: z.object({ postgres: z.enum(["ok", "unavailable"]), redis: z.enum(["ok", "unavailable"]) }),
  })
  .meta({ id: "Readiness" });

const healthz = createRoute({
  method: "get",
  path: "/healthz",
  operationId: "healthz",
  summary: "Whether the process answers",
  responses: { 200: json(Health, "It does") },
});

const readyz = createRoute({
  method: "get",
  path: "/readyz",
  operationId: "readyz",
  summary: "Whether the dependencies answer",
  responses: { 200: json(Readiness, "All do"), 503: json(Readiness, "At least one does not") },
});

async function state(ping: () => Promise<void>): Promise<"ok" | "unavailable"> {
  return ping().then(
    () => "ok",
    () => "unavailable",
  );
}

async function dependencies(deps: Deps) {
  const [postgres, redis] = await Promise.all([state(() => deps.games.ping()), state(() => deps.ranking.ping())]);
  return { postgres, redis };
}

export function registerHealth(app: App): void {
  app.openapi(healthz, (c) => c.json({ status: "ok" as const }, 200));
  app.openapi(readyz, async (c) => {
    const found = await dependencies(c.get("deps"));
    const ok = Object.values(found).every((value) => value === "ok");
    return ok
      ? c.json({ status: "ok" as const, dependencies: found }, 200)
      : c.json({ status: "unavailable" as const, dependencies: found }, 503);
  });
}
