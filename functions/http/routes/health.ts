/** GET /healthz and /readyz */
import { createRoute, z } from "@hono/zod-openapi";
import { orNull } from "../../contract/primitives.ts";
import type { Deps } from "../../deps-type.ts";
import { readPostgres, readRedis, readStream } from "../../services/operations/read-vitals.ts";
import { NoQuery } from "../parameters.ts";
import { json } from "../responses.ts";
import type { App } from "../app-type.ts";

const Answer = z.enum(["ok", "unavailable"]).meta({ example: "ok" });
const count = (description: string, example: number) => z.int().min(0).meta({ description, example });

const Health = z.object({ status: z.literal("ok") }).meta({ id: "Health" });
const StreamState = z
  .object({
    busyGames: count("Games with submissions since the cron last found them idle.", 3),
    lookedAt: count("Busy games that the numbers below are about, at most 20.", 3),
    missingGames: count("Games that Redis does not have: new, lost, or being rebuilt.", 0),
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
    stream: orNull(StreamState).meta({ description: "Null when Redis does not answer." }),
  })
  .meta({ id: "Readiness" });

const healthz = createRoute({
  method: "get",
  path: "/healthz",
  request: { query: NoQuery },
  operationId: "healthz",
  tags: ["Operations"],
  summary: "Whether the process answers",
  responses: { 200: json(Health, "It does") },
});

const readyz = createRoute({
  method: "get",
  path: "/readyz",
  request: { query: NoQuery },
  operationId: "readyz",
  tags: ["Operations"],
  summary: "Whether the dependencies answer, and how far behind the work in the background is",
  description: "Asks Postgres and Redis at most once a second and isolate; polled, it keeps an idle database awake.",
  responses: { 200: json(Readiness, "All do"), 503: json(Readiness, "At least one does not") },
});

/** How long an answer is good, and the least time between two looks: however many poll, the stores are asked once. */
const LOOK_MS = 1_000;
const WAIT_MS = 20;

async function look(deps: Deps) {
  const [postgres, redis, found] = await Promise.all([readPostgres(deps), readRedis(deps), readStream(deps)]);
  return {
    dependencies: { postgres: postgres.state, redis: redis.state },
    library: { worker: deps.vitals.release(), redis: redis.release },
    stream: found?.stream ?? null,
  };
}

type Found = Awaited<ReturnType<typeof look>>;

/**
 * What one look of this isolate found, for a second. Who comes while another request looks waits for what that finds: plain
 * values, since promises must not be shared between requests; one that was broken off is succeeded after a second.
 */
function createReadiness(): (deps: Deps) => Promise<Found> {
  let found: { readonly value: Found; readonly atMs: number } | undefined;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  return async (deps) => {
    for (;;) {
      const now = deps.clock.now();
      if (found && Math.abs(now - found.atMs) < LOOK_MS) return found.value;
      if (Math.abs(now - lookedAtMs) >= LOOK_MS) break;
      await deps.sleep(WAIT_MS);
    }
    lookedAtMs = deps.clock.now();
    found = { value: await look(deps), atMs: deps.clock.now() };
    return found.value;
  };
}

export function registerHealth(app: App): void {
  const readiness = createReadiness();
  app.openapi(healthz, (c) => c.json({ status: "ok" as const }, 200));
  app.openapi(readyz, async (c) => {
    const found = await readiness(c.get("deps"));
    const { postgres, redis } = found.dependencies;
    return postgres === "ok" && redis === "ok"
      ? c.json({ status: "ok" as const, ...found }, 200)
      : c.json({ status: "unavailable" as const, ...found }, 503);
  });
}
