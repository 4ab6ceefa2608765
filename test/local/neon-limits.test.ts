import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { NEON_LIMITS } from "../../functions/domain/platform-limits.ts";
import { until } from "../harness/until.ts";
import { useStores } from "./stores.ts";

const env = useStores();
let postgres: pg.Client;
beforeAll(async () => {
  postgres = new pg.Client({ connectionString: env.stores.databaseUrl });
  await postgres.connect();
});
afterAll(() => postgres.end());

const Answer = z.object({
  rows: z.array(z.record(z.string(), z.unknown())).optional(),
  message: z.string().optional(),
});

async function ask(body: unknown, { signal, url }: { signal?: AbortSignal; url?: string } = {}) {
  const response = await fetch(env.stores.neonUrl, {
    method: "POST",
    headers: { "neon-connection-string": url ?? env.stores.databaseUrl },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  const { rows = [], message } = Answer.parse(await response.json());
  return { status: response.status, row: rows[0], message };
}
const one = async (query: string, ...params: string[]) => (await ask({ query, params })).row?.["value"];

/** How many statements with this text run now. */
async function running(text: string): Promise<number> {
  const { rows } = await postgres.query(
    "select count(*)::int as n from pg_stat_activity where state <> 'idle' and query like $1 and pid <> pg_backend_pid()",
    [`%${text}%`],
  );
  return z.array(z.object({ n: z.int() })).parse(rows)[0]?.n ?? 0;
}

describe("a client that leaves", () => {
  test.each([
    {
      title: "a statement",
      body: (text: string) => ({ query: `insert into left_behind select '${text}' from pg_sleep(60)` }),
    },
    {
      title: "a batch",
      body: (text: string) => ({
        queries: [{ query: `insert into left_behind values ('${text}')` }, { query: `select pg_sleep(60), '${text}'` }],
      }),
    },
  ])("takes $title with it: it is cancelled and leaves nothing", async ({ title, body }) => {
    await postgres.query("create table if not exists left_behind (what text)");
    const text = `left ${title}`;
    const leaving = new AbortController();
    const asked = ask(body(text), { signal: leaving.signal });
    const gone = expect(asked).rejects.toThrow();
    await until("the statement runs", async () => (await running(text)) === 1);
    leaving.abort();
    await gone;
    await until("it has ended", async () => (await running(text)) === 0);
    expect((await postgres.query("select 1 from left_behind where what = $1", [text])).rowCount).toBe(0);
  });

  test("takes no other client's statement with it, however many leave", async () => {
    const stay = Promise.all(Array.from({ length: 10 }, () => one("select 'stayed' as value from pg_sleep(1)")));
    const leaving = new AbortController();
    const gone = Array.from({ length: 40 }, () =>
      ask({ query: "select pg_sleep(60), 'many left'" }, { signal: leaving.signal }).catch(() => "left"),
    );
    await until("some run", async () => (await running("many left")) > 5);
    leaving.abort();
    expect(new Set(await Promise.all(gone))).toEqual(new Set(["left"]));
    expect(new Set(await stay)).toEqual(new Set(["stayed"]));
    expect(await one("select 'here' as value")).toBe("here");
    await until("none is left", async () => (await running("many left")) === 0);
  });
});

describe("ten megabytes", () => {
  const MiB = 1024 * 1024;

  test.each([
    { what: "characters of two bytes", query: "select repeat('é', 6 * 1024 * 1024) as value" },
    { what: "characters that JSON writes as two", query: "select repeat(E'\\n', 6 * 1024 * 1024) as value" },
    { what: "characters that JSON writes as six", query: "select repeat(E'\\x01', 2 * 1024 * 1024) as value" },
    {
      what: "names of columns in many small rows",
      query: `select 1 as "${"n".repeat(60)}" from generate_series(1, 200000)`,
    },
  ])("are counted in the answer as they are sent: $what", async ({ query }) => {
    const { status, message } = await ask({ query });
    expect([status, message]).toEqual([507, `response is larger than the maximum of ${NEON_LIMITS.bytes} bytes`]);
  });

  test("are counted over all answers of a batch, which then is not done", async () => {
    await postgres.query("create table if not exists too_large (what text)");
    const big = { query: "select repeat('x', 4 * 1024 * 1024) as value" };
    const { status } = await ask({ queries: [{ query: "insert into too_large values ('no')" }, big, big, big] });
    expect(status).toBe(507);
    expect((await postgres.query("select 1 from too_large")).rowCount).toBe(0);
  });

  test("are counted in the request as they are sent", async () => {
    const length = (text: string) => ask({ query: "select length($1) as value", params: [text] });
    expect((await length("x".repeat(9 * MiB))).row).toEqual({ value: 9 * MiB });
    expect((await length("é".repeat(6 * MiB))).status).toBe(413);
    expect((await length("\n".repeat(6 * MiB))).status).toBe(413);
  });
});

/** What every connection of the endpoint's pool says: as many requests at once as it has. */
async function everywhere(value: string): Promise<unknown[]> {
  const ask = () => one(`select (${value}) as value from pg_sleep(0.3)`);
  return [...new Set(await Promise.all(Array.from({ length: 20 }, ask)))];
}

describe("a connection", () => {
  test("is as new for the next request, whatever the last one left there", async () => {
    const timeout = await everywhere("current_setting('statement_timeout')");
    await ask({ query: "set statement_timeout = '1234ms'" });
    await ask({ query: "select set_config('search_path', 'nowhere', false)" });
    await ask({ query: "create temp table mine (a int)" });
    await ask({ query: "prepare mine as select 1" });
    await ask({ query: "listen mine" });
    await ask({ query: "select pg_advisory_lock(42)" });
    expect(await everywhere("current_setting('statement_timeout')")).toEqual(timeout);
    expect(await everywhere("current_setting('search_path')")).not.toContain("nowhere");
    expect(await everywhere("to_regclass('pg_temp.mine')::text")).toEqual([null]);
    expect(await everywhere("select count(*)::int from pg_prepared_statements")).toEqual([0]);
    expect(await everywhere("select count(*)::int from pg_listening_channels()")).toEqual([0]);
    expect(await everywhere("select count(*)::int from pg_locks where locktype = 'advisory'")).toEqual([0]);
  });

  test.each(["select 1/0", "select nothing from nowhere", "begin; select 1", "not sql"])(
    "is thrown away after an error: %s",
    async (query) => {
      const marked = `${query} /* failed: ${crypto.randomUUID()} */`;
      expect((await ask({ query: marked })).status).toBe(400);
      // A connection that is kept shows its last statement while it is idle.
      const kept = async () =>
        (await postgres.query("select 1 from pg_stat_activity where query = $1", [marked])).rowCount;
      await until("its connection is gone", async () => (await kept()) === 0);
    },
  );

  test("of a request that left a transaction open is thrown away with it", async () => {
    await postgres.query("create table if not exists open_ended (what text)");
    await ask({ query: "begin" });
    await ask({ query: "insert into open_ended values ('outside')" });
    await ask({
      queries: [{ query: "commit" }, { query: "begin" }, { query: "insert into open_ended values ('inside')" }],
    });
    expect((await postgres.query("select what from open_ended")).rows).toEqual([
      { what: "outside" },
      { what: "inside" },
    ]);
  });
});

test.each([
  { title: "another scheme", change: (url: URL) => url.href.replace(/^postgres(ql)?/, "mysql"), says: "scheme mysql" },
  { title: "another host", change: (url: URL) => url.href.replace(url.hostname, "elsewhere.example"), says: "host" },
  { title: "another port", change: (url: URL) => url.href.replace(`:${url.port}`, ":1"), says: "host" },
])("a connection string with $title is refused", async ({ change, says }) => {
  const { status, message } = await ask({ query: "select 1" }, { url: change(new URL(env.stores.databaseUrl)) });
  expect(status).toBe(400);
  expect(message).toMatch(/^invalid connection string: /);
  expect(message).toContain(says);
});
