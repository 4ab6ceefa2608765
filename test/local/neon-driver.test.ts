import { neon, neonConfig } from "@neondatabase/serverless";
import { beforeAll, expect, test } from "vitest";
import { useStores } from "./stores.ts";

const env = useStores();

beforeAll(() => {
  neonConfig.fetchEndpoint = () => env.stores.neonUrl;
});

/** The connection string as in production: options behind it, and Postgres' address, not the endpoint's. */
const productionLike = (databaseUrl: string) => `${databaseUrl}?sslmode=require`;

const connect = () => neon(productionLike(env.stores.databaseUrl));

test("a tagged template carries its parameters", async () => {
  const sql = connect();
  expect(await sql`select ${"o'hara; --"}::text as name, ${42}::int as n, ${null}::text as nothing`).toEqual([
    { name: "o'hara; --", n: 42, nothing: null },
  ]);
});

test("values come back by their type", async () => {
  const sql = connect();
  const [row] = await sql.query(
    `select true as yes, false as no, 1::int2 as small, 9007199254740993::int8 as big, 1.10::numeric as exact, 0.1::float8 as float,
            '{"a":[1]}'::jsonb as json, array['x','y z',null] as texts, array[1,2] as ints, '\\x00ff'::bytea as bytes,
            timestamptz '2026-10-12 00:00:00.123+00' as at, null::text as nothing, '' as empty, E'a\\nb' as lines`,
  );
  expect(row).toEqual({
    yes: true,
    no: false,
    small: 1,
    big: "9007199254740993",
    exact: "1.10",
    float: 0.1,
    json: { a: [1] },
    texts: ["x", "y z", null],
    ints: [1, 2],
    bytes: Buffer.from([0, 255]),
    at: new Date("2026-10-12T00:00:00.123Z"),
    nothing: null,
    empty: "",
    lines: "a\nb",
  });
});

test("parameters of every kind arrive", async () => {
  const sql = connect();
  const at = new Date("2026-10-12T10:00:00.000Z");
  const values = [["x", 'y"z'], { a: 1 }, Buffer.from([1, 2]), at, true, 1.5];
  const [row] = await sql.query(
    "select $1::text[] as a, $2::jsonb as b, $3::bytea as c, $4::timestamptz as d, $5::bool as e, $6::float8 as f",
    values,
  );
  expect(row).toEqual({ a: ["x", 'y"z'], b: { a: 1 }, c: Buffer.from([1, 2]), d: at, e: true, f: 1.5 });
});

test("array mode and full results", async () => {
  const sql = connect();
  expect(await sql.query("select 1 as a, 2 as a", [], { arrayMode: true })).toEqual([[1, 2]]);
  const full = await sql.query("select $1::int as a", [7], { fullResults: true });
  expect(full).toMatchObject({
    rows: [{ a: 7 }],
    command: "SELECT",
    rowCount: 1,
    rowAsArray: false,
    fields: [{ name: "a", dataTypeID: 23 }],
  });
  const both = await sql.query("select $1::int as a", [7], { fullResults: true, arrayMode: true });
  expect(both).toMatchObject({ rows: [[7]], rowAsArray: true });
});

test("the row count is that of the command", async () => {
  const sql = connect();
  await sql`create table counted (id int primary key)`;
  const insert = await sql.query("insert into counted select generate_series(1, 5)", [], { fullResults: true });
  expect(insert).toMatchObject({ command: "INSERT", rowCount: 5, rows: [] });
  expect(await sql.query("update counted set id = id + 10 where id > $1", [3], { fullResults: true })).toMatchObject({
    command: "UPDATE",
    rowCount: 2,
  });
  expect(
    await sql.query("insert into counted values (1) on conflict do nothing returning id", [], { fullResults: true }),
  ).toMatchObject({ rowCount: 0, rows: [] });
});

test("a batch is one transaction in one request", async () => {
  const sql = connect();
  await sql`create table batched (id int primary key)`;
  const requests = await env.requestsDuring("neon", async () => {
    const [, second] = await sql.transaction([
      sql`insert into batched values (1)`,
      sql`select count(*)::int as n from batched`,
    ]);
    expect(second).toEqual([{ n: 1 }]);
  });
  expect(requests).toBe(1);
  await expect(
    sql.transaction([sql`insert into batched values (2)`, sql`insert into batched values (1)`]),
  ).rejects.toMatchObject({ code: "23505" });
  expect(await sql`select id from batched`).toEqual([{ id: 1 }]);
});

test("a batch has the isolation, mode and deferral that it asks for", async () => {
  const sql = connect();
  const answers = await sql.transaction(
    [sql`show transaction_isolation`, sql`show transaction_read_only`, sql`show transaction_deferrable`],
    { isolationLevel: "Serializable", readOnly: true, deferrable: true },
  );
  expect(answers).toEqual([
    [{ transaction_isolation: "serializable" }],
    [{ transaction_read_only: "on" }],
    [{ transaction_deferrable: "on" }],
  ]);
  await expect(sql.transaction([sql`create table forbidden (id int)`], { readOnly: true })).rejects.toMatchObject({
    code: "25006",
  });
});

test("an error carries the fields of Postgres", async () => {
  const sql = connect();
  await sql`create table checked (id int primary key, points bigint not null constraint points_in_range check (points >= 0))`;
  await sql`insert into checked values (1, 5)`;
  await expect(sql`insert into checked values (1, 6)`).rejects.toMatchObject({
    name: "NeonDbError",
    code: "23505",
    constraint: "checked_pkey",
    table: "checked",
    schema: "public",
    severity: "ERROR",
    detail: "Key (id)=(1) already exists.",
  });
  await expect(sql`insert into checked values (2, -1)`).rejects.toMatchObject({
    code: "23514",
    constraint: "points_in_range",
  });
  await expect(sql`insert into checked values (2, null)`).rejects.toMatchObject({ code: "23502", column: "points" });
  await expect(sql.query("selec 1")).rejects.toMatchObject({ code: "42601", position: "1" });
  await expect(sql`select ${"x"}::int`).rejects.toMatchObject({ code: "22P02" });
});

test("several statements in one are refused, as by the vendor", async () => {
  await expect(connect().query("select 1; select 2")).rejects.toMatchObject({ code: "42601" });
});

test("after an error the connection serves the next query", async () => {
  const sql = connect();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? sql`select ${n}::int as n` : sql`select 1/0`)),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
});

test.each([
  { title: "another user", change: (url: URL) => (url.username = "mallory"), code: "28P01" },
  { title: "another password", change: (url: URL) => (url.password = "wrong"), code: "28P01" },
  { title: "another database", change: (url: URL) => (url.pathname = "/other"), code: "3D000" },
])("$title is refused", async ({ change, code }) => {
  const url = new URL(productionLike(env.stores.databaseUrl));
  change(url);
  await expect(neon(url.href)`select 1`).rejects.toMatchObject({ code });
});

test("a response of more than 10 MiB is answered with 507, a request with 413", async () => {
  const sql = connect();
  await expect(sql`select repeat('x', 11 * 1024 * 1024) as big`).rejects.toThrow("HTTP status 507");
  await expect(sql`select ${"x".repeat(10 * 1024 * 1024)}::text as big`).rejects.toThrow("HTTP status 413");
  const [row] = await sql`select repeat('x', 9 * 1024 * 1024) as big`;
  expect(String(row?.["big"]).length).toBe(9 * 1024 * 1024);
});

test("the session speaks UTC and commits durably", async () => {
  const sql = connect();
  expect(
    await sql`select current_setting('timezone') as zone, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`,
  ).toEqual([{ zone: "UTC", fsync: "on", commit: "on" }]);
});
