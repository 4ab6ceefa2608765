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
  path = "/",
  method = "POST",
  body,
  headers = {},
}: Call): Promise<{ status: number; json: unknown; token: string | null }> {
  const response = await fetch(env.stores.upstashUrl + path, {
    method,
    headers: { authorization: `Bearer ${env.stores.upstashToken}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, json: await response.json(), token: response.headers.get("upstash-sync-token") };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const BASE64 = { "upstash-encoding": "base64" };

test.each([
  { title: "a command answers its result", body: '["ECHO","hi"]', json: { result: "hi" } },
  { title: "an integer stays a number", body: '["DEL","nothing"]', json: { result: 0 } },
  { title: "a missing value is null", body: '["GET","nothing"]', json: { result: null } },
  {
    title: "a number is taken with its digits",
    body: '["ECHO",12345678901234567890.10]',
    json: { result: "12345678901234567890.10" },
  },
  { title: "a boolean is taken as text", body: '["ECHO",true]', json: { result: "true" } },
  { title: "base64 encodes a string", body: '["ECHO","test"]', headers: BASE64, json: { result: base64("test") } },
  { title: "base64 encodes OK too", body: '["SET","w:a","1"]', headers: BASE64, json: { result: base64("OK") } },
  { title: "base64 leaves integers and nulls", body: '["MGET","nothing"]', headers: BASE64, json: { result: [null] } },
  {
    title: "base64 encodes every string inside of nested arrays",
    body: `["EVAL","return {'OK',{'x',1,false}}","0"]`,
    headers: BASE64,
    json: { result: [base64("OK"), [base64("x"), 1, null]] },
  },
  {
    title: "a pipeline answers errors in their slots",
    path: "/pipeline",
    body: '[["SET","w:p","1"],["NOPE"],["GET","w:p"]]',
    json: [{ result: "OK" }, { error: expect.stringContaining("unknown command 'NOPE'") }, { result: "1" }],
  },
  { title: "an empty pipeline answers nothing", path: "/pipeline", body: "[]", json: [] },
  {
    title: "a transaction goes on after a command that failed while running",
    path: "/multi-exec",
    body: '[["SET","w:m","x"],["INCR","w:m"],["GET","w:m"]]',
    headers: BASE64,
    json: [{ result: base64("OK") }, { error: expect.stringContaining("not an integer") }, { result: base64("x") }],
  },
] satisfies (Call & { title: string; json: unknown })[])("$title", async ({ json, ...call }) => {
  const answer = await send(call);
  expect(answer).toMatchObject({ status: 200, json });
  expect(answer.token).toBeTruthy();
});

test.each([
  { title: "an unknown command", body: '["NOPE"]', status: 400, error: "unknown command" },
  { title: "a command with too few arguments", body: '["SET","a"]', status: 400, error: "wrong number of arguments" },
  {
    title: "an error that a function gives, word for word",
    body: `["EVAL","return redis.error_reply('LBINPUT no')","0"]`,
    status: 400,
    error: "LBINPUT no",
  },
  { title: "a body that is not JSON", body: '["GET",', status: 400, error: "JSON" },
  { title: "an empty body", body: "", status: 400, error: "JSON" },
  { title: "an object", body: '{"a":1}', status: 400, error: "array" },
  { title: "an empty command", body: "[]", status: 400, error: "empty" },
  { title: "null as an argument", body: '["SET","a",null]', status: 400, error: "arguments" },
  { title: "an object as an argument", body: '["SET","a",{}]', status: 400, error: "arguments" },
  { title: "a pipeline that is one command", path: "/pipeline", body: '["GET","a"]', status: 400, error: "array" },
  { title: "a pipeline that is no array", path: "/pipeline", body: "5", status: 400, error: "array" },
  {
    title: "a transaction with a command that cannot be queued",
    path: "/multi-exec",
    body: '[["SET","w:x","1"],["NOPE"]]',
    status: 400,
    error: "EXECABORT",
  },
  { title: "MULTI by itself", body: '["MULTI"]', status: 400, error: "not available" },
  { title: "a blocking command, whatever its case", body: '["bLpOp","a",0]', status: 400, error: "not available" },
  { title: "SUBSCRIBE as a command", body: '["SUBSCRIBE","a"]', status: 400, error: "not available" },
  { title: "another path", path: "/nope", body: "[]", status: 400, error: "no such path" },
  { title: "GET", method: "GET", status: 405, error: "POST" },
  {
    title: "a wrong token",
    body: '["GET","a"]',
    headers: { authorization: "Bearer wrong" },
    status: 401,
    error: "WRONGPASS",
  },
  { title: "no token", body: '["GET","a"]', headers: { authorization: "" }, status: 401, error: "WRONGPASS" },
] satisfies (Call & { title: string; status: number; error: string })[])(
  "$title is answered with $status",
  async ({ status, error, ...call }) => {
    expect(await send(call)).toMatchObject({ status, json: { error: expect.stringContaining(error) } });
  },
);

test("a refused transaction changes nothing", async () => {
  await send({ path: "/multi-exec", body: '[["SET","w:never","1"],["NOPE"]]' });
  expect(await send({ body: '["EXISTS","w:never"]' })).toMatchObject({ json: { result: 0 } });
});

test("a request of more than 10 MiB is answered with 413", async () => {
  expect(await send({ body: JSON.stringify(["ECHO", "x".repeat(10 * 1024 * 1024)]) })).toMatchObject({ status: 413 });
});

test("names of channels may need escaping in the path", async () => {
  const abort = new AbortController();
  const response = await fetch(`${env.stores.upstashUrl}/subscribe/${encodeURIComponent("a/ü {b}")}`, {
    method: "POST",
    headers: { authorization: `Bearer ${env.stores.upstashToken}`, accept: "text/event-stream" },
    body: "[]",
    signal: abort.signal,
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const first = await response.body?.getReader().read();
  expect(new TextDecoder().decode(first?.value)).toBe("data: subscribe,a/ü {b},1\n\n");
  abort.abort();
});
