import { expect, test } from "vitest";
import { useStores } from "./stores.ts";

const env = useStores();

interface Call {
  readonly path?: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

async function send({
  path = "/sql",
  method = "POST",
  body,
  headers = {},
}: Call): Promise<{ status: number; json: unknown }> {
  const response = await fetch(new URL(path, env.stores.neonUrl), {
    method,
    headers: { "neon-connection-string": env.stores.databaseUrl, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, json: await response.json() };
}

const RAW = { "neon-raw-text-output": "true" };
const ARRAY = { "neon-array-mode": "true" };
const SELECT = JSON.stringify({
  query: `select $1::int as n, true as yes, 1.5::float8 as f, 'NaN'::float8 as nan, '{"a":1}'::jsonb as j, 7::int8 as big`,
  params: ["5"],
});

test.each([
  {
    title: "raw text output is text throughout",
    headers: RAW,
    row: { n: "5", yes: "t", f: "1.5", nan: "NaN", j: '{"a": 1}', big: "7" },
  },
  { title: "array mode gives arrays", headers: { ...RAW, ...ARRAY }, row: ["5", "t", "1.5", "NaN", '{"a": 1}', "7"] },
  {
    title: "without raw text output JSON types are used",
    headers: {},
    row: { n: 5, yes: true, f: 1.5, nan: "NaN", j: { a: 1 }, big: "7" },
  },
  {
    title: "the content type does not matter",
    headers: { ...RAW, "content-type": "application/x-anything" },
    row: { n: "5", yes: "t", f: "1.5", nan: "NaN", j: '{"a": 1}', big: "7" },
  },
])("$title", async ({ headers, row }) => {
  expect(await send({ body: SELECT, headers })).toMatchObject({
    status: 200,
    json: { rows: [row], command: "SELECT", rowCount: 1 },
  });
});

test("fields are described the way Postgres does", async () => {
  const { json } = await send({ body: '{"query":"select datname from pg_database","params":[]}' });
  expect(json).toMatchObject({
    fields: [
      {
        name: "datname",
        dataTypeID: 19,
        tableID: 1262,
        columnID: 2,
        dataTypeSize: 64,
        dataTypeModifier: -1,
        format: "text",
      },
    ],
  });
});

test("a batch answers a list of results", async () => {
  const body = JSON.stringify({
    queries: [
      { query: "select 1 as a", params: [] },
      { query: "select $1::text as b", params: [null] },
    ],
  });
  expect(await send({ body, headers: RAW })).toMatchObject({
    status: 200,
    json: { results: [{ rows: [{ a: "1" }] }, { rows: [{ b: null }] }] },
  });
});

test.each([
  {
    title: "an SQL error",
    body: '{"query":"select nope","params":[]}',
    status: 400,
    json: { code: "42703", severity: "ERROR" },
  },
  {
    title: "a body that is not JSON",
    body: "select 1",
    status: 400,
    json: { message: expect.stringContaining("not JSON") },
  },
  { title: "a body without a query", body: "{}", status: 400, json: { message: expect.stringContaining("query") } },
  { title: "another path", path: "/other", body: SELECT, status: 400, json: { message: "query is not supported" } },
  { title: "another method", method: "GET", status: 400, json: { message: "query is not supported" } },
  {
    title: "no connection string",
    body: SELECT,
    headers: { "neon-connection-string": "" },
    status: 400,
    json: { message: expect.stringContaining("connection string") },
  },
  {
    title: "an isolation level that does not exist",
    body: '{"queries":[]}',
    headers: { "neon-batch-isolation-level": "Nope" },
    status: 400,
    json: { message: "invalid isolation level" },
  },
] satisfies (Call & { title: string; status: number; json: object })[])(
  "$title is answered with $status",
  async ({ status, json, ...call }) => {
    expect(await send(call)).toMatchObject({ status, json });
  },
);

test("an error never repeats the password", async () => {
  const { json } = await send({
    body: SELECT,
    headers: { "neon-connection-string": "postgresql://edgeboard:hunter2@host/edgeboard" },
  });
  expect(JSON.stringify(json)).not.toContain("hunter2");
});
