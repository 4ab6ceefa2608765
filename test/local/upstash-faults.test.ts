import { Redis } from "@upstash/redis/cloudflare";
import { expect, test } from "vitest";
import { until } from "../harness/until.ts";
import { useStores } from "./stores.ts";

const env = useStores();

type Options = Partial<ConstructorParameters<typeof Redis>[0]>;

function client(options: Options = {}): Redis {
  return new Redis({
    url: env.stores.upstashUrl,
    token: env.stores.upstashToken,
    automaticDeserialization: false,
    enableAutoPipelining: false,
    retry: { retries: 0 },
    ...options,
  });
}

const fast = (): number => 0;

test.each([
  { title: "by default", options: { retry: { backoff: fast } }, requests: 6 },
  { title: "with retry: false", options: { retry: false as const }, requests: 2 },
  { title: "with retries: 2", options: { retry: { retries: 2, backoff: fast } }, requests: 3 },
  { title: "with retries: 0", options: { retry: { retries: 0 } }, requests: 1 },
])("a dropped connection is tried $requests times $title", async ({ options, requests }) => {
  await env.inject("upstash", [{ action: "drop-before", match: "dropped" }]);
  const sent = await env.requestsDuring("upstash", () =>
    expect(client(options).get("dropped")).rejects.toThrow("fetch failed"),
  );
  expect(sent).toBe(requests);
});

test("drop-before executes nothing, drop-after has executed", async () => {
  const redis = client();
  await env.inject("upstash", [
    { action: "drop-before", match: '"lost"', times: 1 },
    { action: "drop-after", match: '"done"', times: 1 },
  ]);
  await expect(redis.set("lost", "1")).rejects.toThrow();
  await expect(redis.set("done", "1")).rejects.toThrow();
  expect(await redis.mget("lost", "done")).toEqual([null, "1"]);
});

test("a retried command whose answer was lost is executed twice", async () => {
  await env.inject("upstash", [
    { action: "drop-after", match: "INCR", times: 1 },
    { action: "drop-after", match: "incr", times: 1 },
  ]);
  expect(await client({ retry: { retries: 1, backoff: fast } }).incr("twice")).toBe(2);
});

test.each([429, 500, 503])("status %i reaches the client as an error and is not tried again", async (status) => {
  await env.inject("upstash", [{ action: "status", status, times: 1 }]);
  const sent = await env.requestsDuring("upstash", () =>
    expect(client({ retry: { retries: 5, backoff: fast } }).get("a")).rejects.toMatchObject({ name: "UpstashError" }),
  );
  expect(sent).toBe(1);
});

test("an HTML page reaches the client as a parse error", async () => {
  await env.inject("upstash", [{ action: "html", times: 1 }]);
  await expect(client().get("a")).rejects.toMatchObject({ name: "UpstashJSONParseError" });
});

test("a truncated answer reaches the client as a parse error, after the command was executed", async () => {
  const redis = client();
  await env.inject("upstash", [{ action: "truncate", match: "cut", times: 1 }]);
  await expect(redis.set("cut", "1")).rejects.toMatchObject({ name: "UpstashJSONParseError" });
  expect(await redis.get("cut")).toBe("1");
});

test("a timeout given as a function rejects; nothing was executed yet with delay, everything with delay-after", async () => {
  const impatient = client({ signal: () => AbortSignal.timeout(50) });
  await env.inject("upstash", [
    { action: "delay", delayMs: 200, match: '"late"', times: 1 },
    { action: "delay-after", delayMs: 200, match: '"early"', times: 1 },
  ]);
  await expect(impatient.set("late", "1")).rejects.toMatchObject({ name: "TimeoutError" });
  await expect(impatient.set("early", "1")).rejects.toMatchObject({ name: "TimeoutError" });
  expect(await client().get("early")).toBe("1");
  await until("the late command is executed all the same", async () => (await client().get("late")) === "1");
});

test("skip lets requests pass first, times ends the rule, others are untouched", async () => {
  const redis = client();
  await env.inject("upstash", [{ action: "status", status: 503, match: "third", skip: 2, times: 1 }]);
  const outcomes: boolean[] = [];
  for (let call = 0; call < 4; call += 1)
    outcomes.push(
      await redis.get("third").then(
        () => true,
        () => false,
      ),
    );
  expect(outcomes).toEqual([true, true, false, true]);
  expect(await (await fetch(`${env.stores.upstashUrl}/__faults`)).json()).toEqual([]);
});

test("rules that are none are refused and change nothing", async () => {
  await env.inject("upstash", []);
  for (const body of ["{", '[{"action":"explode"}]', '{"action":"html"}', '[{"action":"html","typo":1}]']) {
    const response = await fetch(`${env.stores.upstashUrl}/__faults`, { method: "POST", body });
    expect(response.status).toBe(400);
  }
  expect(await (await fetch(`${env.stores.upstashUrl}/__faults`)).json()).toEqual([]);
});

test("the counters count requests, commands by name and bytes", async () => {
  await fetch(`${env.stores.upstashUrl}/__stats`, { method: "DELETE" });
  await client().pipeline().set("a", "1").get("a").get("b").exec();
  expect(await (await fetch(`${env.stores.upstashUrl}/__stats`)).json()).toMatchObject({
    requests: 1,
    operations: 3,
    bytesIn: expect.any(Number),
    bytesOut: expect.any(Number),
    byName: { SET: 1, GET: 2 },
  });
});

test("while Redis is down the endpoint answers 500 at once, and works again when Redis is back", async () => {
  const redis = client();
  await redis.set("before", "1");
  env.stores.roster.get("redis")?.kill("SIGSTOP");
  env.stores.roster.get("redis")?.kill("SIGKILL");
  await until("the endpoint says that Redis is gone", () =>
    redis.get("before").then(
      () => false,
      (error: Error) => error.message.includes("not reachable"),
    ),
  );
  await until("Redis is back, empty", () =>
    redis.get("before").then(
      (value) => value === null,
      () => false,
    ),
  );
});
