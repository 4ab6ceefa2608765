import { neon, neonConfig } from "@neondatabase/serverless";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { until } from "../harness/until.ts";
import { useStores } from "./stores.ts";

const env = useStores();
const connect = () => neon(env.stores.databaseUrl);
const rows = async (id: number): Promise<number> => (await connect()`select 1 from marks where id = ${id}`).length;

beforeAll(async () => {
  neonConfig.fetchEndpoint = () => env.stores.neonUrl;
  await connect()`create table marks (id int)`;
});
beforeEach(() => env.inject("neon", []));

test("a dropped connection is one request and one error; before executing nothing is written, after it everything", async () => {
  const sql = connect();
  await env.inject("neon", [
    { action: "drop-before", match: "insert", times: 1 },
    { action: "drop-after", match: "insert", times: 1 },
  ]);
  const requests = await env.requestsDuring("neon", async () => {
    await expect(sql`insert into marks values (1)`).rejects.toThrow("Error connecting to database");
    await expect(sql`insert into marks values (2)`).rejects.toThrow("Error connecting to database");
  });
  expect(requests).toBe(2);
  expect([await rows(1), await rows(2)]).toEqual([0, 1]);
});

test.each([
  { title: "a 503", rule: { action: "status", status: 503 } as const, message: "HTTP status 503" },
  { title: "a 429", rule: { action: "status", status: 429 } as const, message: "HTTP status 429" },
  { title: "an HTML page", rule: { action: "html" } as const, message: "HTTP status 502" },
])("$title reaches the driver as a server error", async ({ rule, message }) => {
  await env.inject("neon", [{ ...rule, times: 1 }]);
  await expect(connect()`select 1`).rejects.toThrow(message);
});

test("a truncated answer is an error after the statement was executed", async () => {
  await env.inject("neon", [{ action: "truncate", match: "insert", times: 1 }]);
  await expect(connect()`insert into marks values (3)`).rejects.toThrow();
  expect(await rows(3)).toBe(1);
});

test("a delayed answer runs into the deadline of the query, and the write stands", async () => {
  await env.inject("neon", [{ action: "delay-after", delayMs: 300, match: "insert", times: 1 }]);
  const sql = connect();
  await expect(
    sql.query("insert into marks values ($1)", [4], { fetchOptions: { signal: AbortSignal.timeout(50) } }),
  ).rejects.toThrow();
  await until("the row is there", async () => (await rows(4)) === 1);
});

test("a batch can be cut off after its commit", async () => {
  const sql = connect();
  await env.inject("neon", [{ action: "drop-after", match: "queries", times: 1 }]);
  await expect(
    sql.transaction([sql`insert into marks values (5)`, sql`insert into marks values (6)`]),
  ).rejects.toThrow();
  expect([await rows(5), await rows(6)]).toEqual([1, 1]);
});

test("the counters count statements by their first word", async () => {
  const sql = connect();
  const stats = new URL("/__stats", env.stores.neonUrl);
  await fetch(stats, { method: "DELETE" });
  await sql.transaction([sql`select 1`, sql`with a as (select 1) select * from a`]);
  expect(await (await fetch(stats)).json()).toMatchObject({
    requests: 1,
    operations: 2,
    byName: { select: 1, with: 1 },
  });
});

test("a killed Postgres is answered with 500, comes back on its port, and has kept every row", async () => {
  await connect()`insert into marks values (7)`;
  env.stores.roster.get("postgres")?.kill("SIGKILL");
  await until("the endpoint says that the database is gone", () =>
    rows(7).then(
      () => false,
      (error: Error) => error.message.includes("HTTP status 500"),
    ),
  );
  await until("the row is read again", () =>
    rows(7).then(
      (count) => count === 1,
      () => false,
    ),
  );
});
