/** GET /metrics: gauges in Prometheus' text format. */
import { createRoute, z } from "@hono/zod-openapi";
import { DomainError } from "../../domain/errors.ts";
import { bearerToken } from "../bearer.ts";
import { renderMetrics } from "../prometheus.ts";
import { readPostgres, readRedis, readStream, readUnverified } from "../../services/operations/read-vitals.ts";
import { troubles } from "../../services/operations/troubles.ts";
import { NoQuery } from "../parameters.ts";
import { problems } from "../responses.ts";
import type { App } from "../app-type.ts";
import type { Deps } from "../../deps-type.ts";

const route = createRoute({
  method: "get",
  path: "/metrics",
  request: { query: NoQuery },
  operationId: "metrics",
  tags: ["Operations"],
  summary: "Gauges for Prometheus",
  description:
    "What can be asked of the dependencies at this moment; isolates are not added up: what one noticed itself, in " +
    "the last five to ten minutes, is about the one that answers. " +
    "Postgres is asked only while a game is busy, so that scraping does not keep an idle database awake.",
  security: [{ metricsToken: [] }, { serverKey: [] }],
  responses: {
    200: {
      description: "Prometheus text format 0.0.4",
      content: { "text/plain": { schema: z.string(), example: "edgeboard_busy_games 3\n" } },
    },
    ...problems("unauthorized"),
  },
});

async function read(deps: Deps) {
  const [redis, found] = await Promise.all([readRedis(deps), readStream(deps)]);
  // Redis' outage hides which games are busy, and that is when one wants to know of Postgres.
  const awake = found === undefined || found.games.length > 0;
  const [postgres, unverified] = awake
    ? await Promise.all([readPostgres(deps), readUnverified(deps, found?.games ?? [])])
    : [undefined, undefined];
  const givenUp = { redis: deps.vitals.givenUp("redis"), postgres: deps.vitals.givenUp("postgres") };
  return {
    redis,
    postgres,
    stream: found?.stream,
    unverified,
    release: deps.vitals.release(),
    givenUp,
    troubles: troubles(deps.clock.now()),
  };
}

export function registerMetrics(app: App): void {
  app.openapi(route, async (c) => {
    const deps = c.get("deps");
    const token = bearerToken(c.req.header("authorization"));
    if (token === undefined || !(await deps.vitals.mayReadMetrics(token))) {
      throw new DomainError("unauthorized", "Send METRICS_TOKEN, or the SERVER_KEY, as bearer token.");
    }
    return c.text(renderMetrics(await read(deps)), 200, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "cache-control": "no-store",
    });
  });
}
