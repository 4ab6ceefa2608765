/** The Worker's runtime in the local stack, with small Workers of the test's own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workerComponent } from "../../local/components/worker.ts";
import { freePort } from "../../local/ports.ts";
import { Component } from "../../local/process/component.ts";
import { groupMembers } from "../../local/process/table.ts";
import { until } from "../harness/until.ts";

const folder = mkdtempSync(path.join(tmpdir(), "edgeboard worker "));
const lines: string[] = [];
let worker: Component;
let origin: string;

const source = (name: string) => `
  let cron = "none";
  let left = "nothing";
  export default {
    async fetch(request, env) {
      const { pathname } = new URL(request.url);
      if (pathname === "/slow") await new Promise((resolve) => setTimeout(resolve, 1_000));
      if (pathname === "/cron") return new Response(cron + " " + left);
      if (pathname === "/limited") return Response.json(await env.SHIELD.limit({ key: "one" }));
      if (pathname === "/secret") return new Response(env.SECRET);
      return new Response(${JSON.stringify(name)});
    },
    scheduled(controller, env, context) {
      cron = controller.cron;
      context.waitUntil(new Promise((resolve) => setTimeout(resolve, 20)).then(() => { left = "done"; }));
    },
  };`;

function write(name: string, text: string): void {
  writeFileSync(path.join(folder, name), text);
}

const get = async (pathname: string, init: RequestInit = {}) => {
  const response = await fetch(origin + pathname, { redirect: "manual", ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

beforeAll(async () => {
  mkdirSync(path.join(folder, "files"));
  write("files/index.html", "<title>index</title>");
  write("files/app.js", "export {};");
  write("files/_headers", "/*\n  Referrer-Policy: no-referrer\n/app.js\n  Cache-Control: no-cache\n");
  write("worker.ts", source("first"));
  write(
    "wrangler.toml",
    `main = "worker.ts"
     compatibility_date = "2026-11-01"
     [assets]
     directory = "files"
     [[ratelimits]]
     name = "SHIELD"
     namespace_id = "1"
     simple = { limit = 3, period = 60 }`,
  );
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const spec = workerComponent({
    port,
    dataDir: folder,
    logFile: path.join(folder, "worker.log"),
    config: path.join(folder, "wrangler.toml"),
    variables: { SECRET: 'quotes " and \\ and ü' },
  });
  worker = new Component(spec, { say: (line) => lines.push(line), started: () => undefined });
  await worker.start();
});
afterAll(async () => {
  await worker.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("it is one process, and a variable arrives as it is", async () => {
  expect(groupMembers(worker.pid)).toEqual([worker.pid]);
  expect((await get("/secret")).text).toBe('quotes " and \\ and ü');
});

test("static files come first, with the headers of _headers and an ETag that saves the next transfer", async () => {
  const page = await get("/?game=x");
  expect([page.status, page.text]).toEqual([200, "<title>index</title>"]);
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  const script = await get("/app.js");
  expect(script.headers.get("cache-control")).toBe("no-cache");
  const again = await get("/app.js", { headers: { "if-none-match": script.headers.get("etag") ?? "" } });
  expect([again.status, again.text]).toEqual([304, ""]);
  const head = await get("/app.js", { method: "HEAD" });
  expect([head.status, head.text]).toEqual([200, ""]);
  const byName = await get("/index.html?game=x");
  expect([byName.status, byName.headers.get("location")]).toEqual([307, "/?game=x"]);
  expect((await get("/_headers")).text).toBe("first");
});

test("a rate-limit binding refuses what comes beyond its limit", async () => {
  const answers = [];
  for (let i = 0; i < 5; i += 1) answers.push((await get("/limited")).text);
  // The window may turn once in between.
  expect(answers.filter((answer) => answer === '{"success":false}').length).toBeGreaterThanOrEqual(1);
  expect(answers.slice(0, 1)).toEqual(['{"success":true}']);
});

test("the cron's address runs the scheduled handler to the end of what it left behind", async () => {
  expect((await get("/cdn-cgi/handler/scheduled?cron=*+*+*+*+*")).text).toBe("ok");
  expect((await get("/cron")).text).toBe("* * * * * done");
});

test("a changed source is loaded after the requests in flight have their answers", async () => {
  const slow = get("/slow");
  await until("the slow request is under way", async () => (await get("/x")).status === 200);
  write("worker.ts", source("second"));
  const replaced = worker.replace();
  expect((await slow).text).toBe("first");
  await replaced;
  expect((await get("/x")).text).toBe("second");
});

test("a source that does not build is refused and the present one stays", async () => {
  write("worker.ts", "export default {");
  const before = worker.pid;
  await expect(worker.replace()).rejects.toThrow("worker.ts");
  expect(worker.pid).toBe(before);
  expect((await get("/x")).text).toBe("second");
});

test("a killed runtime comes back on its port", async () => {
  write("worker.ts", source("third"));
  worker.kill("SIGKILL");
  await until(
    "the Worker answers again",
    () =>
      get("/x").then(
        ({ text }) => text === "third",
        () => false,
      ),
    20_000,
  );
  expect(lines.some((line) => line.startsWith("worker died (SIGKILL)"))).toBe(true);
});
