/** /docs: the reference that shows the API, and tries it, under the page's policy and without any other origin. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, freshGame } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";
import { closeViewers, launch, overhang, viewer } from "./browser.ts";

const TITLE = "The first places of a board, page by page";
const TEST_TOP = /Test Request.*\/boards\/\{board\}\/top/;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => closeViewers(browser));

interface Reference {
  readonly page: Page;
  /** What the browser complained about, what the policy forbade, and requests to other origins. */
  readonly complaints: string[];
}

/** Opens the reference and waits until it shows the document. */
async function openReference(context: BrowserContext, window?: { readonly width: number }): Promise<Reference> {
  const page = await context.newPage();
  if (window) await page.setViewportSize({ ...window, height: 640 });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${stack().api}/`))
      complaints.push(request.url());
  });
  await page.exposeFunction("forbidden", (what: string) => complaints.push(what));
  await page.addInitScript(
    `document.addEventListener("securitypolicyviolation", (e) => forbidden(e.violatedDirective + " " + e.blockedURI))`,
  );
  await page.goto(`${stack().api}/docs`);
  await page.getByRole("heading", { name: "Edgeboard" }).first().waitFor();
  return { page, complaints };
}

async function isDark(page: Page): Promise<boolean> {
  const [red] = String(await page.evaluate("getComputedStyle(document.body).backgroundColor")).match(/\d+/) ?? [];
  return Number(red) < 64;
}

async function gameWithAda(): Promise<string> {
  const game = await freshGame();
  await call(`/v1/games/${game}/scores`, { body: { player: "ada", points: 4321, country: "DE" } });
  return game;
}

test("the policy lets the reference load and reach this origin alone, and evaluate nothing", async () => {
  const policy = (await fetch(`${stack().api}/docs`)).headers.get("content-security-policy") ?? "";
  const sources = Object.fromEntries(policy.split("; ").map((part) => [part.split(" ")[0], part.split(" ").slice(1)]));
  expect(sources).toMatchObject({ "default-src": ["'none'"], "script-src": ["'self'"], "connect-src": ["'self'"] });
  const allowed = new Set(Object.values(sources).flat());
  expect([...allowed].sort()).toEqual(["'none'", "'self'", "'unsafe-inline'"]);
  expect(sources["style-src"]).toContain("'unsafe-inline'");
});

test("on a phone the list leads to an operation, and trying it shows this service's answer", async () => {
  const game = await gameWithAda();
  const context = await viewer(browser, { scheme: "dark", phone: true });
  const { page, complaints } = await openReference(context, { width: 320 });
  expect(await isDark(page)).toBe(true);
  await page.getByRole("button", { name: "Open Menu" }).click();
  await page.getByRole("button", { name: /Open Group.*Boards/ }).click();
  await page.getByRole("link", { name: TITLE }).click();
  await page.getByRole("heading", { name: TITLE }).waitFor();
  expect(await overhang(page)).toBe(0);
  await page.getByRole("button", { name: TEST_TOP }).click();
  const dialog = page.getByRole("dialog");
  const value = dialog.getByRole("combobox", { name: "Value" }).first();
  await value.waitFor();
  expect(await value.textContent()).toBe("arena");
  await value.fill(game);
  const asked = page.waitForRequest((request) => request.url().includes("/v1/"));
  await dialog.getByRole("button", { name: /^Send get/ }).click();
  expect((await asked).url()).toBe(`${stack().api}/v1/games/${game}/boards/current/top?n=10&country=DE`);
  await until("the status is shown", async () => (await dialog.innerText()).includes("200 OK"));
  await until("the board is shown", async () => (await dialog.innerText()).includes("4321"));
  expect(await overhang(page)).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("the keyboard alone finds an operation, tries it and comes back", async () => {
  const context = await viewer(browser, { scheme: "light", phone: false });
  const { page, complaints } = await openReference(context);
  expect(await isDark(page)).toBe(false);
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").waitFor();
  await page.keyboard.type("first places");
  await page.getByRole("option", { name: TITLE }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: TITLE, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: TITLE }).waitFor();
  await page.getByRole("button", { name: TEST_TOP }).press("Enter");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Send get/ })
    .waitFor();
  await page.keyboard.press("Control+Enter");
  await until("the status is shown", async () => (await page.getByRole("dialog").innerText()).includes("200 OK"));
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
  await context.close();
});
