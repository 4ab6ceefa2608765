/** The floor: a bare Hono response, and one trivial SQL statement plus one PING with the clients that the product uses. */
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
