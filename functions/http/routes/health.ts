/** GET /healthz and /readyz */
import { createRoute, z } from "@hono/zod-openapi";
import type { Deps } from "../../services/ports.ts";
import { readPostgres, readRedis, readStream } from "../../services/read-vitals.ts";
import { json } from "../responses.ts";
import type { App } from "../app-type.ts";

const Answer = z.enum(["ok", "unavailable"]).meta({ example: "ok" });
const count = (description: string, example: number) => z.int().min(0).meta({ description, example });

const Health = z.object({ status: z.literal("ok") }).meta({ id: "Health" });
const StreamState = z
  .object({
    busyGames: count("Games with submissions since the cron last found them idle.", 3),
    lookedAt: count("Busy games that the numbers below are about, at most 20.", 3),
    coldGames: count("Games that Redis does not have: new, lost, or being rebuilt.", 0),
    unread: count("Feed entries that no cron run has read.", 12),
    pending: count("Feed entries that a cron run has read and not finished.", 0),
    cronAgeMs: count("Since a cron run last saw the list of busy games; null when Redis lost it.", 24_000).nullable(),
  })
  .meta({ id: "StreamState" });
const Readiness = z
  .object({
    status: Answer,
    dependencies: z.object({ postgres: Answer, redis: Answer }),
    library: z.object({
      worker: count("Release of the ranking library that this Worker carries.", 9),
      redis: count("Release that Redis has; null when it does not answer.", 9).nullable(),
    }),
    stream: StreamState.nullable().meta({ description: "Null when Redis does not answer." }),
  })
  .meta({ id: "Readiness" });

const healthz = createRoute({
  method: "get",
  path: "/healthz",
  operationId: "healthz",
  tags: ["Operations"],
  summary: "Whether the process answers",
  responses: { 200: json(Health, "It does") },
});

const readyz = createRoute({
  method: "get",
  path: "/readyz",
  operationId: "readyz",
  tags: ["Operations"],
  summary: "Whether the dependencies answer, and how far behind the work in the background is",
  description: "Asks Postgres and Redis each time, so it keeps an idle database awake when it is polled.",
  responses: { 200: json(Readiness, "All do"), 503: json(Readiness, "At least one does not") },
});

async function readiness(deps: Deps) {
  const [postgres, redis, found] = await Promise.all([readPostgres(deps), readRedis(deps), readStream(deps)]);
  return {
    dependencies: { postgres: postgres.state, redis: redis.state },
    library: { worker: deps.vitals.release, redis: redis.release },
    stream: found?.stream ?? null,
  };
}

export function registerHealth(app: App): void {
  app.openapi(healthz, (c) => c.json({ status: "ok" as const }, 200));
  app.openapi(readyz, async (c) => {
    const found = await readiness(c.get("deps"));
    const { postgres, redis } = found.dependencies;
    return postgres === "ok" && redis === "ok"
      ? c.json({ status: "ok" as const, ...found }, 200)
      : c.json({ status: "unavailable" as const, ...found }, 503);
  });
}
