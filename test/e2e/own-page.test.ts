/** docs/examples/page.html, served from another origin by the command that docs/getting-started.md shows. */
import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../local/paths.ts";
import { freePort } from "../../local/ports.ts";
import { endGroup } from "../../local/process/group.ts";
import { blocksOf } from "../deploy/documents.ts";
import { call, freshGame } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";
import { closeViewers, launch } from "./browser.ts";

const SERVES = /^npx .*--serve=localhost:8000$/;

let browser: Browser;
let server: ChildProcess;
let origin: string;
beforeAll(async () => {
  const commands = blocksOf("docs/getting-started.md").map(({ text }) => text.trim());
  const command = commands.find((text) => SERVES.test(text));
  if (command === undefined) throw new Error("docs/getting-started.md does not say how to serve the page");
  const port = await freePort();
  origin = `http://localhost:${port}`;
  server = spawn("bash", ["-c", command.replace("8000", String(port))], {
    cwd: ROOT,
    detached: true,
    // esbuild ends when its input does.
    stdio: ["pipe", "ignore", "ignore"],
    env: { ...process.env, PATH: `${path.join(ROOT, "node_modules", ".bin")}:${process.env["PATH"]}` },
  });
  browser = await launch();
  const serves = () =>
    fetch(`${origin}/page.html`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until("the page is served", serves, 30_000);
}, 60_000);
afterAll(async () => {
  await closeViewers(browser);
  await endGroup(server.pid ?? 0, "SIGTERM", 5_000);
});

test("a page of another origin shows the top 10 of a game and follows a change", async () => {
  const game = await freshGame();
  const submissions = Array.from({ length: 11 }, (_, i) => ({ player: `p${i}`, points: 1_000 - i }));
  await call(`/v1/games/${game}/scores/batch`, { body: { submissions } });
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${origin}/page.html?game=${game}&api=${encodeURIComponent(stack().api)}`);
  const rows = () => page.locator("#board li").allTextContents();
  const shows = (expected: readonly string[]) =>
    until(`the page shows ${expected[0]}`, async () => (await rows()).join("\n") === expected.join("\n"));
  const top = submissions.map(({ player, points }) => `${player}: ${points}`);
  await shows(top.slice(0, 10));
  await call(`/v1/games/${game}/scores`, { body: { player: "mei", points: 5_000 } });
  await shows(["mei: 5000", ...top.slice(0, 9)]);
  expect(errors).toEqual([]);
  await page.close();
});

test("a page that asks for a game which is not there says so", async () => {
  const page = await browser.newPage();
  await page.goto(`${origin}/page.html?game=no-such-game&api=${encodeURIComponent(stack().api)}`);
  await until("it says why", async () => /no game/i.test((await page.locator("#state").textContent()) ?? ""));
  await page.close();
});
