import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, freshGame } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";
import { closeViewers, launch, LOOKS, openLive, overhang, rows, shows, viewer } from "./browser.ts";

let browser: Browser;
let game: string;
beforeAll(async () => {
  browser = await launch();
  game = await freshGame();
  const players = ["ada", "björk", "كاتب", "dee", "eve", "fay", "gus", "hal", "ivy", "joe", "kay"];
  const submissions = players.map((player, index) => ({ player, points: 11_000 - index * 900 }));
  await call(`/v1/games/${game}/scores/batch`, { body: { submissions } });
});
afterAll(() => closeViewers(browser));

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds on the page, a line each. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found: unknown = await page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ target }) => target.join(' ')).join(', ')))",
  );
  if (!Array.isArray(found)) throw new Error("axe gave no list");
  return found.map(String);
}

test.each(LOOKS)("in $name axe finds nothing, and nothing is wider than the screen", async (look) => {
  const context = await viewer(browser, look);
  const { page } = await openLive(context, `${stack().api}/?game=${game}&player=kay`);
  await page.locator(".around").waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await overhang(page)).toBeLessThanOrEqual(0);
  await context.close();
});

test.each(["light", "dark"] as const)("in forced colours over %s the chosen tab stands out", async (scheme) => {
  const context = await viewer(browser, { scheme, phone: false, forced: true });
  const { page } = await openLive(context, `${stack().api}/?game=${game}&board=all-time&player=kay`);
  await page.locator(".around").waitFor();
  const tabs = page.locator(".tabs span");
  const colours = await tabs.evaluateAll((spans) => spans.map((span) => getComputedStyle(span).backgroundColor));
  expect(new Set(colours).size).toBe(2);
  expect(await violations(page)).toEqual([]);
  await context.close();
});

test("what is read aloud is not written again while it stays the same", async () => {
  const own = await freshGame();
  const submit = (player: string, points: number) => call(`/v1/games/${own}/scores`, { body: { player, points } });
  await submit("ada", 900);
  await submit("bob", 100);
  const context = await viewer(browser);
  const { page } = await openLive(context, `${stack().api}/?game=${own}&player=bob`);
  await page.locator(".around").waitFor();
  await page.evaluate(`
    globalThis.written = [];
    new MutationObserver((records) => records.forEach(({ target }) => written.push(target.textContent)))
      .observe(document.getElementById("found"), { childList: true, characterData: true, subtree: true });
  `);
  const asked = page.waitForResponse(/around/);
  await submit("ada", 950);
  await asked;
  await until("ada's new points", async () => (await page.locator("#found").textContent())?.includes("950"));
  const written: unknown = await page.evaluate("written");
  expect(written).toEqual(["950"]);
  await context.close();
});

test("axe finds nothing on all time, an empty board and an unknown game", async () => {
  const context = await viewer(browser);
  const { page } = await openLive(context, `${stack().api}/?game=${game}&board=all-time`);
  await until("ten rows", async () => (await rows(page)).length === 10);
  expect(await violations(page)).toEqual([]);
  for (const [name, note] of [
    [await freshGame(), "A clean board"],
    ["no-such-game", "No such game"],
  ] as const) {
    await page.goto(`${stack().api}/?game=${name}`);
    await page.getByText(note).waitFor();
    expect(await violations(page)).toEqual([]);
  }
  await context.close();
});

test("the keyboard alone reaches the board, its views, the search and the theme", async () => {
  const context = await viewer(browser);
  const { page } = await openLive(context, `${stack().api}/?game=${game}`);
  const reached: unknown[] = [];
  for (let presses = 0; presses < 7; presses++) {
    await page.keyboard.press("Tab");
    reached.push(
      await page.evaluate(
        "document.activeElement.id || document.activeElement.name || document.activeElement.textContent",
      ),
    );
  }
  expect(reached).toEqual(["Skip to the board", "theme", "period", "weeks", "countries", "find-player", "Find"]);
  await context.close();
});

test("the theme button switches the colours and the choice is kept", async () => {
  const context = await viewer(browser);
  const { page } = await openLive(context, `${stack().api}/?game=${game}`);
  await page.getByRole("button", { name: "Switch to dark colours" }).click();
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  await page.reload();
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  await page.getByRole("button", { name: "Switch to light colours" }).waitFor();
  await context.close();
});

test("with reduced motion nothing glides or counts", async () => {
  const own = await freshGame();
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const { page } = await openLive(context, `${stack().api}/?game=${own}`);
  await call(`/v1/games/${own}/scores`, { body: { player: "ada", points: 100 } });
  await shows(page, ["ada 100"]);
  await call(`/v1/games/${own}/scores`, { body: { player: "bob", points: 200 } });
  await shows(page, ["bob 200", "ada 100"]);
  expect(await page.evaluate("document.getAnimations().length")).toBe(0);
  await context.close();
});
