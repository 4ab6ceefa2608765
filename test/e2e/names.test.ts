/** Names of every script, and some that are meant to break a page. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, freshGame } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";
import { closeViewers, launch, openLive, overhang, rows, viewer } from "./browser.ts";

const LONG = "W".repeat(64);
const FLIPPED = "\u202edlrow";
/** Ends an isolation that is not its own, and then turns what follows. */
const ESCAPING = "\u2069\u202eyppah";
const VISIBLE = {
  hebrew: "שלום עולם",
  arabic: "كاتب 7",
  devanagari: "क्षत्रिय",
  thai: "น้ำ",
  tibetan: "བསྒྲུབས",
  family: "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
  stacked: `Z${"\u0351\u036b\u0343\u0302".repeat(15)}`,
  wide: "﷽𒐫".repeat(20),
  spaced: "a     b",
  flipped: FLIPPED,
  escaping: ESCAPING,
  long: LONG,
};
const INVISIBLE = {
  "a space": " ",
  "two joiners": "\u200d\u200d",
  "a filler": "\u3164",
  "braille blank": "\u2800",
  "a soft hyphen": "\u00ad",
  "a mark of direction": "\u202e",
  "a selector": "\ufe0f",
  tags: "\u{e0041}\u{e0042}\u{e0043}\u{e0044}\u{e0045}",
};

let browser: Browser;
let context: BrowserContext;
let visible: string;
let invisible: string;
beforeAll(async () => {
  [browser, visible, invisible] = await Promise.all([launch(), gameWith(VISIBLE), gameWith(INVISIBLE)]);
  context = await viewer(browser);
});
afterAll(() => closeViewers(browser));

async function gameWith(names: Readonly<Record<string, string>>): Promise<string> {
  const game = await freshGame();
  // The last ones come first, so that those which are hard to show are in the top 10.
  const submissions = Object.values(names).map((player, index) => ({ player, points: 8_000_000_000 + index }));
  const { body } = await call(`/v1/games/${game}/scores/batch`, { body: { submissions } });
  if (JSON.stringify(body).includes('"status":422')) throw new Error(`a name was refused: ${JSON.stringify(body)}`);
  return game;
}

const address = (game: string, player = ""): string =>
  `${stack().api}/?game=${game}&player=${encodeURIComponent(player)}`;

/** Horizontal places of the first and last character of a text in the page. */
async function drawn(page: Page, text: string): Promise<{ first: number; last: number }> {
  return page.locator("body").evaluate((body, wanted) => {
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const at = node.textContent?.indexOf(wanted) ?? -1;
      if (at === -1) continue;
      const left = (index: number): number => {
        const range = new Range();
        range.setStart(node, at + index);
        range.setEnd(node, at + index + 1);
        return range.getBoundingClientRect().left;
      };
      return { first: left(0), last: left(wanted.length - 1) };
    }
    throw new Error(`not in the page: ${wanted}`);
  }, text);
}

test("a name turns nothing around but itself, wherever it stands in a sentence", async () => {
  for (const name of [FLIPPED, ESCAPING, VISIBLE.hebrew]) {
    const { page } = await openLive(context, address(visible, `${name}!`));
    await page.locator(".found-note").waitFor();
    const sentence = await drawn(page, "has no");
    expect(sentence.last, name).toBeGreaterThan(sentence.first);
    const nameBox = await page.locator(".found-note .name").boundingBox();
    expect(sentence.first).toBeGreaterThan((nameBox?.x ?? Infinity) + (nameBox?.width ?? 0) - 1);
    await call(`/v1/games/${visible}/scores`, {
      body: { player: name, points: 8_100_000_000 + Math.floor(Math.random() * 1e8) },
    });
    await until("the call", async () => (await page.locator("#call").textContent())?.startsWith(`${name} is now`));
    const call_ = await drawn(page, "is now");
    expect(call_.last, name).toBeGreaterThan(call_.first);
    await page.close();
  }
});

test("runs of spaces are as wide as they are, and rows are as high as ever", async () => {
  const { page } = await openLive(context, address(visible));
  await until("ten rows", async () => (await rows(page)).length === 10);
  const spaced = await drawn(page, VISIBLE.spaced);
  expect(spaced.last - spaced.first).toBeGreaterThan(25);
  const heights = await page.locator(".entry").evaluateAll((items) => items.map((item) => item.clientHeight));
  expect(Math.max(...heights.slice(3))).toBe(Math.min(...heights.slice(3)));
  await page.close();
});

test("a name that cannot be seen is shown by the numbers of its characters, everywhere", async () => {
  const { page } = await openLive(context, address(invisible, INVISIBLE["a filler"]));
  await page.locator(".around").waitFor();
  const shown = (await rows(page)).map((row) => row.replace(/ 8,.*$/, "").replace("you", "")).sort();
  expect(shown).toEqual(
    [
      "U+0020",
      "U+200D U+200D",
      "U+3164",
      "U+2800",
      "U+00AD",
      "U+202E",
      "U+FE0F",
      "U+E0041 U+E0042 U+E0043 U+E0044 …",
    ].sort(),
  );
  expect(await page.locator("#found .me .name").textContent()).toBe("U+3164");
  expect(await page.locator("#feed .name.unseen").count()).toBe(8);
  await page.close();
});

test("no browser translates a name", async () => {
  const { page } = await openLive(context, address(visible, LONG));
  await page.locator(".around").waitFor();
  const open = await page.locator("body").evaluate(
    (body, names) => {
      const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      while (walker.nextNode()) {
        const { textContent, parentElement } = walker.currentNode;
        const name = names.find((each) => textContent?.includes(each));
        if (name !== undefined && !parentElement?.closest("[translate=no]")) found.push(name);
      }
      return found;
    },
    [...Object.values(VISIBLE), visible],
  );
  expect(open).toEqual([]);
  await page.close();
});

test.each(["light", "dark"] as const)(
  "at 320 pixels, %s, nothing scrolls sideways whatever the name",
  async (scheme) => {
    const narrow = await viewer(browser, { scheme, phone: false });
    const { page } = await openLive(narrow, address(visible, LONG));
    await page.setViewportSize({ width: 320, height: 800 });
    await page.route("**/badges", (route) =>
      route.fulfill({
        json: { badges: [{ badge: "w".repeat(32), threshold: 1, points: 1, awardedAt: "2026-01-01T00:00:00.000Z" }] },
      }),
    );
    await page.reload();
    await page.locator(".badges").waitFor();
    await page.locator(".around").waitFor();
    await call(`/v1/games/${visible}/scores`, {
      body: { player: VISIBLE.wide, points: scheme === "light" ? 8_300_000_000 : 8_400_000_000 },
    });
    await until("the call", async () => (await page.locator("#call").textContent()) !== "");
    expect(await overhang(page)).toBe(0);
    const points = page.locator(".entry .points");
    const hidden = await points.evaluateAll((all) =>
      all.filter(
        (each) => each.getBoundingClientRect().right > (each.closest(".entry")?.getBoundingClientRect().right ?? 0),
      ),
    );
    expect(hidden).toEqual([]);
    for (const player of [`${LONG.slice(1)}X`, VISIBLE.wide.slice(3), "x".repeat(500), `${VISIBLE.stacked}?`]) {
      await page.goto(address(visible, player));
      await page.locator(".found-note").waitFor();
      expect(await overhang(page), player).toBe(0);
    }
    for (const game of ["x".repeat(300), "", "W W W"]) {
      await page.goto(address(game));
      await page.locator("#note strong").waitFor();
      expect(await overhang(page), game).toBe(0);
    }
    await narrow.close();
  },
);
