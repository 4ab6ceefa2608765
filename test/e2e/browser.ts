/** Chromium for the end-to-end lane. */
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { CHROMIUM } from "../harness/chromium.ts";
import { until } from "../harness/until.ts";

const QUIET = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"];

let launched: Promise<Browser> | undefined;

/** The browser of this process, with which it ends: files have it one after the other. */
export function launch(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-sync", ...QUIET],
  });
  return launched;
}

/** Nothing of a file's pages goes on while the next one has the browser. */
export async function closeViewers(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

export type Look = { readonly scheme: "light" | "dark"; readonly phone: boolean; readonly forced?: true };

export const LOOKS: readonly (Look & { readonly name: string })[] = [
  { name: "light-desktop", scheme: "light", phone: false },
  { name: "dark-desktop", scheme: "dark", phone: false },
  { name: "light-phone", scheme: "light", phone: true },
  { name: "dark-phone", scheme: "dark", phone: true },
];

const DESKTOP = { viewport: { width: 1280, height: 960 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

/** A browser of one viewer: own storage, own connections. */
export function viewer(
  browser: Browser,
  { scheme, phone, forced }: Look = { scheme: "light", phone: false },
): Promise<BrowserContext> {
  return browser.newContext({
    colorScheme: scheme,
    forcedColors: forced ? "active" : "none",
    ...(phone ? PHONE : DESKTOP),
  });
}

/** By how many pixels the page is wider than its window. */
export async function overhang(page: Page): Promise<number> {
  return Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
}

/** The live page, with everything the browser complained about. */
export type LivePage = { readonly page: Page; readonly complaints: string[] };

/** Opens a page and waits until it is live. */
export async function openLive(context: BrowserContext, url: string): Promise<LivePage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  await page.goto(url);
  await connection(page, "Live");
  return { page, complaints };
}

/** Waits until the page shows this state of its connection. */
export async function connection(page: Page, state: string, deadlineMs = 30_000): Promise<void> {
  const shown = page.locator("#connection");
  await until(`the page says ${state}`, async () => (await shown.textContent()) === state, deadlineMs);
}

/** The board as the page shows it: `ada 1,200` a row, once the numbers have stopped counting. */
export async function rows(page: Page): Promise<string[]> {
  return page.locator("#entries > .entry:not(.ghost)").evaluateAll((items) =>
    items.map((item) => {
      const text = (part: string): string => item.querySelector(part)?.textContent ?? "";
      return `${text(".player")} ${text(".points")}`;
    }),
  );
}

/** Waits until the page shows exactly these rows. */
export async function shows(page: Page, expected: readonly string[], deadlineMs = 10_000): Promise<void> {
  let last: string[] = [];
  const same = async (): Promise<boolean> => {
    last = await rows(page);
    return JSON.stringify(last) === JSON.stringify(expected);
  };
  await until(`the board shows ${expected.join(", ")}`, same, deadlineMs).catch((error: unknown) => {
    throw new Error(`the board shows ${last.join(", ") || "nothing"}`, { cause: error });
  });
}
