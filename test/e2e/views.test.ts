/** What the address asks for, what Back does, and whose clock counts. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startOf, weekEnd, weekOf } from "../../functions/domain/board/week.ts";
import { call, freshGame } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";
import { closeViewers, connection, launch, openLive, shows, viewer } from "./browser.ts";

let browser: Browser;
let context: BrowserContext;
let game: string;
beforeAll(async () => {
  browser = await launch();
  context = await viewer(browser);
  game = await freshGame();
  const lastWeek = new Date(Date.now() - 7 * 86_400_000).toISOString();
  const submissions = [
    { player: "eve", points: 900, submittedAt: lastWeek },
    { player: "ada", points: 100, country: "DE" },
    { player: "bob", points: 200, country: "SE" },
    { player: "zoe\u0308", points: 50 },
    { player: "eve ", points: 40 },
  ];
  await call(`/v1/games/${game}/scores/batch`, { body: { submissions } });
});
afterAll(() => closeViewers(browser));

const address = (more = ""): string => `${stack().api}/?game=${game}${more}`;
const NOW = ["bob 200", "ada 100", "zoe\u0308 50", "eve  40"];

async function says(page: Page, selector: string, text: string): Promise<void> {
  let last: string | null = "";
  await until(
    `${selector} says ${text}`,
    async () => (last = await page.locator(selector).textContent()) === text,
  ).catch(() => expect(last).toBe(text));
}

describe("an address that names what there is not", () => {
  test.each([
    ["?game=", "Which game?"],
    ["?game=Not%20a%20game!", "No such game"],
    ["GAME&country=ZZ", "No such country"],
    ["GAME&country=Germany", "No such country"],
    ["GAME&country=D%C3%9F", "No such country"],
    ["GAME&board=2026-W99", "No such board"],
    ["GAME&board=yesterday", "No such board"],
  ])("%s is told: %s", async (search, note) => {
    const page = await context.newPage();
    await page.goto(`${stack().api}/${search.replace("GAME", `?game=${game}`)}`);
    await says(page, "#note strong", note);
    await page.close();
  });

  test("is left by a choice on the page", async () => {
    const { page } = await openLive(context, address("&country=Germany"));
    await says(page, "#note strong", "No such country");
    await page.getByLabel("Country").selectOption("");
    await shows(page, NOW);
    expect(await page.locator("#note").isVisible()).toBe(false);
    await page.close();
  });
});

test("Back and Forward lead through the boards and players that were chosen", async () => {
  const { page } = await openLive(context, address());
  await shows(page, NOW);
  await page.getByText("All time").click();
  await shows(page, ["eve 900", ...NOW]);
  await page.getByLabel("Player").fill("ada");
  await page.keyboard.press("Enter");
  await says(page, ".standing b", "#3");
  await page.getByText("This week").click();
  await says(page, ".standing b", "#2");
  await page.goBack();
  await says(page, ".standing b", "#3");
  await page.goBack();
  await says(page, "#found", "");
  expect(await page.getByLabel("Player").inputValue()).toBe("");
  await shows(page, ["eve 900", ...NOW]);
  await page.goBack();
  await shows(page, NOW);
  expect(await page.getByRole("radio", { name: "This week" }).isChecked()).toBe(true);
  await page.goForward();
  await shows(page, ["eve 900", ...NOW]);
  await page.close();
});

test("a search finds exactly what was typed, else without spaces around it, else with accents written otherwise", async () => {
  const { page } = await openLive(context, address());
  for (const [typed, row] of [
    ["eve ", "eve you 40"],
    ["bob ", "bobyou 200"],
    ["\u00a0ada", "adayou 100"],
    ["zo\u00eb", "zoe\u0308you 50"],
  ] as const) {
    await page.getByLabel("Player").fill(typed);
    await page.keyboard.press("Enter");
    const mine = page.locator(".entry", { has: page.locator(".tag") });
    await until(`found ${typed}`, async () => (await mine.count()) === 1);
    const text = await mine.evaluate((item) =>
      [".player", ".points"].map((part) => item.querySelector(part)?.textContent).join(" "),
    );
    expect(text).toBe(row);
  }
  await page.close();
});

describe("with a device whose clock is off", () => {
  const WEEK = weekOf(Date.now());
  const title = `Week ${Number(WEEK.slice(-2))}, `;

  /** Milliseconds that `2d 04:11:09` stands for. */
  function left(text: string | null): number {
    const [, days = "0", hours, minutes, seconds] = /^(?:(\d+)d )?(\d+):(\d+):(\d+)$/.exec(text ?? "") ?? [];
    return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  }

  test.each([
    ["ten minutes early", Date.now() - 600_000],
    ["ten minutes late", Date.now() + 600_000],
    ["already in the next week", weekEnd(WEEK) + 300_000],
    ["still in the last week", startOf(WEEK) - 300_000],
  ])("%s, week and countdown are the server's", async (_, deviceMs) => {
    const off = await viewer(browser);
    const page = await off.newPage();
    await page.clock.install({ time: deviceMs });
    await page.goto(address());
    await connection(page, "Live");
    await until("the countdown", async () => {
      const shown = left(await page.locator("#reset").textContent());
      return Math.abs(shown - (weekEnd(WEEK) - Date.now())) < 2_500;
    });
    expect(await page.locator("#period").textContent()).toContain(title);
    const earlier = await page
      .locator("#weeks option")
      .evaluateAll((all) => all.map((option) => option.getAttribute("value")));
    expect(earlier).not.toContain(WEEK);
    expect(earlier).toContain(weekOf(startOf(WEEK) - 1));
    expect(await page.locator("#feed time").first().textContent()).toMatch(/^(just now|\d+ (s|min) ago)$/);
    await off.close();
  });
});

test("the title of a week in another year says the year", async () => {
  const year = new Date().getUTCFullYear() - 1;
  const { page } = await openLive(context, address(`&board=${year}-W20`));
  await until("the title", async () => (await page.locator("#period").textContent())?.includes(`Week 20, `));
  expect(await page.locator("#period").textContent()).toContain(` May ${year}`);
  expect(await page.locator("#reset").textContent()).toMatch(new RegExp(`^\\d+ May ${year}$`));
  await page.close();
});
