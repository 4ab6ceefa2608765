/** The floor: a bare Hono response, one dressed as an answer of the product, and one trivial SQL statement plus one PING with the clients that the product uses. */
import { neon, neonConfig } from "@neondatabase/serverless";
import { Redis } from "@upstash/redis/cloudflare";
import { Hono } from "hono";

type Bindings = {
  readonly DATABASE_URL: string;
  readonly NEON_SQL_ENDPOINT: string;
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
};

const app = new Hono<{ Bindings: Bindings }>();

app.get("/bare", (c) => c.json({ ok: true }));
/** As long as the product's answer with ten entries, its headers and its line in the log. */
const ANSWER = {
  entries: Array.from({ length: 10 }, (_, i) => ({
    rank: i + 1,
    competitionRank: i + 1,
    player: `cosmic-ocelot-4830${i}`,
    points: 12_345 - i,
    achievedAt: "2026-11-29T20:28:08.000Z",
  })),
};
const HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Retry-After,Server-Timing,Idempotency-Key,Edgeboard-Source,Edgeboard-Degraded",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
  "edgeboard-source": "redis",
  "referrer-policy": "no-referrer",
  "server-timing": "total;dur=0.1",
  "strict-transport-security": "max-age=15552000; includeSubDomains",
  "timing-allow-origin": "*",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-request-id": "81375c45-1df3-4894-886a-93d7bd557427",
};
const LINE = JSON.stringify({
  level: "info",
  event: "request",
  requestId: HEADERS["x-request-id"],
  method: "GET",
  route: "/v1/games/:game/boards/:board/top",
  game: "bench-1",
  status: 200,
  ms: 0.1,
});

app.get("/dressed", (c) => {
  console.info(LINE);
  return c.json(ANSWER, 200, HEADERS);
});
app.get("/healthz", (c) => c.json({ ok: true }));

app.post("/two-calls", async (c) => {
  await c.req.json();
  neonConfig.fetchEndpoint = () => c.env.NEON_SQL_ENDPOINT;
  const sql = neon(c.env.DATABASE_URL);
  await sql`select 1`;
  const redis = new Redis({
    url: c.env.UPSTASH_REDIS_REST_URL,
    token: c.env.UPSTASH_REDIS_REST_TOKEN,
    enableAutoPipelining: false,
    enableTelemetry: false,
    retry: { retries: 0 },
  });
  await redis.ping();
  return c.json({ ok: true }, 201);
});

export default app;
