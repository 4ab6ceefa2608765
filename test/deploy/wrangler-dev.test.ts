/** `wrangler dev` and the runtime of `npm start` are two ways to run one Worker: they answer alike. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../local/ports.ts";
import { endGroup } from "../../local/process/group.ts";
import { startWranglerDev } from "../../tools/wrangler-dev/start.ts";
import { freshGame } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";

const START_MS = 90_000;

let wrangler: ReturnType<typeof startWranglerDev>;
let wranglerUrl: string;

beforeAll(async () => {
  const port = await freePort();
  const { dataDir, serverKey } = stack();
  wrangler = startWranglerDev({ stack: stack(), dataDir, serverKey, port, output: "ignore" });
  wranglerUrl = `http://127.0.0.1:${port}`;
  await until(
    "wrangler dev answers",
    () =>
      fetch(`${wranglerUrl}/healthz`).then(
        (response) => response.status === 200,
        () => false,
      ),
    START_MS,
  );
}, START_MS + 10_000);
afterAll(() => endGroup(wrangler.pid ?? 0, "SIGTERM", 5_000));

/** Differ from answer to answer, or name the connection and not the answer. */
const VOLATILE = new Set([
  "cf-cache-status",
  "connection",
  "content-encoding",
  "content-length",
  "date",
  "keep-alive",
  "server-timing",
  "transfer-encoding",
  "x-request-id",
]);
const MOMENTARY = /"(requestId|instance|etag|submittedAt|submissionId|achievedAt)":"[^"]*"/g;

async function answer(origin: string, path: string, init: RequestInit) {
  const response = await fetch(origin + path, { redirect: "manual", ...init });
  const body = (await response.text()).replace(MOMENTARY, '"$1":"…"');
  const headers = [...response.headers].filter(([name]) => !VOLATILE.has(name)).map(([name, value]) => [name, value]);
  return { status: response.status, headers: Object.fromEntries(headers), body };
}

/** Cloudflare's ETag of a file is a hash of its own. */
function withoutEtag({ headers: { etag, ...headers }, ...rest }: Awaited<ReturnType<typeof answer>>) {
  return { ...rest, headers, hasEtag: etag !== undefined };
}

const JSON_TYPE = { "content-type": "application/json" };

test.each<[string, string, RequestInit]>([
  ["the page", "/", {}],
  ["the page of a game", "/?game=arena", {}],
  ["the page by its file name", "/index.html", {}],
  ["the page by its file name, with a query", "/index.html?game=arena", {}],
  ["a script", "/page.js", {}],
  ["a style sheet without its body", "/styles.css", { method: "HEAD" }],
  ["the reference", "/docs", {}],
  ["the reference with a query, without its body", "/docs?a=b", { method: "HEAD" }],
  ["the reference with a slash", "/docs/", {}],
  ["the reference with a slash and a query", "/docs/?a=b", {}],
  ["the reference by its file name", "/docs.html", {}],
  ["the reference as an index", "/docs/index", {}],
  ["the reference as an index by its file name", "/docs/index.html", {}],
  ["a POST to the reference", "/docs", { method: "POST" }],
  ["a POST to the reference by its file name", "/docs.html", { method: "POST" }],
  ["the reference's script", "/docs/scalar.js", {}],
  ["what is no file of the reference", "/docs/nothing.js", {}],
  ["a file that is not there", "/nothing.js", {}],
  ["a POST to a file", "/page.js", { method: "POST" }],
  ["the process's health", "/healthz", {}],
  ["the OpenAPI document", "/openapi.json", {}],
  ["a preflight", "/v1/games/arena/scores", { method: "OPTIONS", headers: { origin: "https://game.example" } }],
  ["an unknown game", "/v1/games/no-such-game/boards/current/top", {}],
  ["a submission without a key", "/v1/games/arena/scores", { method: "POST", headers: JSON_TYPE, body: "{}" }],
  ["an unknown route", "/v1/games/arena/nothing", {}],
])("%s", async (_, path, init) => {
  const [ours, theirs] = [await answer(stack().api, path, init), await answer(wranglerUrl, path, init)];
  expect(withoutEtag(ours)).toEqual(withoutEtag(theirs));
});

test("a submission through the one is on the board that the other shows, and the cron's address answers the same", async () => {
  const game = await freshGame();
  const headers = { ...JSON_TYPE, authorization: `Bearer ${stack().serverKey}` };
  const submit = (origin: string, player: string, points: number) =>
    answer(origin, `/v1/games/${game}/scores`, {
      method: "POST",
      headers,
      body: JSON.stringify({ player, points, country: "DE" }),
    });
  expect((await submit(stack().api, "ada", 10)).status).toBe(201);
  expect((await submit(wranglerUrl, "bob", 20)).status).toBe(201);
  const top = `/v1/games/${game}/boards/current/top`;
  expect((await answer(wranglerUrl, top, {})).body).toMatch(/"player":"bob".*"player":"ada"/);
  const cron = "/cdn-cgi/handler/scheduled?cron=*+*+*+*+*";
  const [ours, theirs] = [await answer(stack().api, cron, {}), await answer(wranglerUrl, cron, {})];
  expect({ status: ours.status, body: ours.body }).toEqual({ status: theirs.status, body: theirs.body });
});
