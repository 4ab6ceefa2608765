import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { roomOf } from "../../functions/contract/live.ts";
import { weekOf } from "../../functions/domain/board/week.ts";
import { call, freshGame } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";
import { closeViewers, connection, launch, openLive, shows, viewer } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => closeViewers(browser));

const WEEK_MS = 7 * 86_400_000;
const pageOf = (game: string, more = ""): string => `${stack().api}/?game=${game}${more}`;

async function submit(game: string, player: string, points: number, more: Record<string, unknown> = {}): Promise<void> {
  const { status, body } = await call(`/v1/games/${game}/scores`, { body: { player, points, ...more } });
  if (status !== 201) throw new Error(`not accepted: ${status} ${JSON.stringify(body)}`);
}

test("a submission changes the page of every viewer without a reload, and is called out", async () => {
  const game = await freshGame();
  await submit(game, "ada", 1_200);
  const pages = await Promise.all([0, 1].map(async () => openLive(await viewer(browser), pageOf(game))));
  for (const { page } of pages) await shows(page, ["ada 1,200"]);

  await submit(game, "bob", 2_400);

  for (const { page, complaints } of pages) {
    await shows(page, ["bob 2,400", "ada 1,200"]);
    await until("the call", async () => (await page.locator("#call").textContent()) === "bob is now #1");
    await until("the feed", async () => (await page.locator("#feed .name").first().textContent()) === "bob");
    await until("two viewers", async () => (await page.locator("#viewers").textContent()) === "2 watching");
    expect(complaints).toEqual([]);
  }
  await Promise.all(pages.map(({ page }) => page.context().close()));
});

test("the name of a player is text, whatever it looks like", async () => {
  const game = await freshGame();
  const name = "<img src=x onerror=alert(1)>";
  await submit(game, name, 500);
  const { page, complaints } = await openLive(
    await viewer(browser),
    pageOf(game, `&player=${encodeURIComponent(name)}`),
  );
  let alerted = false;
  page.on("dialog", () => (alerted = true));
  await shows(page, [`${name}you 500`]);
  await submit(game, name, 900);
  await shows(page, [`${name}you 900`]);
  await until("the call", async () => (await page.locator("#call").textContent()) === `${name} is now #1`);
  await until("the place", async () => (await page.locator("#found .me .name").textContent()) === name);
  expect(await page.locator("main img").count()).toBe(0);
  expect([alerted, complaints]).toEqual([false, []]);
  await page.context().close();
});

test("all time, a country and an earlier week are other boards of the same page", async () => {
  const game = await freshGame();
  await submit(game, "ada", 100, { country: "SE" });
  await submit(game, "bob", 200, { country: "DE" });
  await submit(game, "eve", 900, { submittedAt: new Date(Date.now() - WEEK_MS).toISOString() });
  const { page } = await openLive(await viewer(browser), pageOf(game));
  await shows(page, ["bob 200", "ada 100"]);
  await page.getByText("All time").click();
  await shows(page, ["eve 900", "bob 200", "ada 100"]);
  await page.getByText("This week").click();
  await page.getByLabel("Country").selectOption("SE");
  await shows(page, ["ada 100"]);
  await page.getByLabel("Country").selectOption("");
  await page.getByLabel("Earlier week").selectOption(weekOf(Date.now() - WEEK_MS));
  await shows(page, ["eve 900"]);
  await page.reload();
  await shows(page, ["eve 900"]);
  await page.context().close();
});

test("the number of players is that of the newest message, also when the top 10 is the same", async () => {
  const game = await freshGame();
  await submit(game, "ada", 100);
  const page = await (await viewer(browser)).newPage();
  const tops: Record<string, unknown>[] = [];
  let say = (_message: unknown): void => undefined;
  await page.routeWebSocket(/parties/, (socket) => {
    say = (message) => socket.send(JSON.stringify(message));
    socket.connectToServer().onMessage((text) => {
      const message: unknown = JSON.parse(String(text));
      // From then on this test is the room: a board of the real one would take its sizes back.
      if (isTop(message) && tops.push(message) > 1) return;
      say(message);
    });
  });
  await page.goto(pageOf(game));
  await shows(page, ["ada 100"]);
  await until("the room's board", async () => tops.length > 0);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const players = page.locator("#players");
  for (const boardSize of [72, 71]) {
    say({ ...tops.at(-1), boardSize });
    await until("the new size", async () => (await players.textContent()) === String(boardSize));
  }
  say({ ...tops.at(-1), version: "1", boardSize: 5 });
  say({ type: "viewers", viewers: 9 });
  await until("the message after it", async () => (await page.locator("#viewers").textContent()) === "9 watching");
  expect(await players.textContent()).toBe("71");
  expect(asked.filter((url) => !url.includes("/feed"))).toEqual([]);
  await page.context().close();
});

function isTop(message: unknown): message is Record<string, unknown> {
  return typeof message === "object" && message !== null && "type" in message && message.type === "top";
}

test("find me shows the place, the neighbours and follows the board", async () => {
  const game = await freshGame();
  for (const [index, player] of ["a", "b", "c", "d", "e"].entries()) await submit(game, player, 500 - index * 100);
  const { page } = await openLive(await viewer(browser), pageOf(game));
  await page.getByLabel("Player").fill("e");
  await page.getByRole("button", { name: "Find" }).click();
  const standing = page.locator(".standing b");
  await until("the place", async () => (await standing.count()) === 1 && (await standing.textContent()) === "#5");
  await submit(game, "e", 450);
  await until("the new place", async () => (await standing.textContent()) === "#2");
  expect(await page.locator("#found .around .name").allTextContents()).toEqual(["a", "e", "b", "c", "d"]);
  await page.getByLabel("Player").fill("nobody");
  await page.keyboard.press("Enter");
  await until(
    "a kind word",
    async () => (await page.locator(".found-note").textContent()) === "nobody has no points on this board yet.",
  );
  await page.context().close();
});

describe("the connection", () => {
  test("is shown as offline without a network, and live again with it", async () => {
    const game = await freshGame();
    const context = await viewer(browser);
    const { page } = await openLive(context, pageOf(game));
    await context.setOffline(true);
    await connection(page, "Offline");
    await submit(game, "ada", 700);
    await context.setOffline(false);
    await connection(page, "Live");
    await shows(page, ["ada 700"]);
    await context.close();
  });

  test("outlives a tab that wakes up again and again", async () => {
    const game = await freshGame();
    const context = await viewer(browser);
    const page = await context.newPage();
    const sent: string[] = [];
    page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(String(payload))));
    await page.goto(pageOf(game));
    await connection(page, "Live");
    await page.evaluate("for (let i = 0; i < 30; i++) document.dispatchEvent(new Event('visibilitychange'))");
    await until("the room was asked", () => sent.length > 0);
    await page.evaluate("for (let i = 0; i < 30; i++) dispatchEvent(new Event('online'))");
    await connection(page, "Live");
    await submit(game, "ada", 700);
    await shows(page, ["ada 700"]);
    expect(sent.length).toBeLessThan(5);
    await context.close();
  });

  test("moves to the new week's room when the week ends, for every viewer", async () => {
    const game = await freshGame();
    const lastWeek = weekOf(Date.now() - WEEK_MS);
    await submit(game, "old", 900, { submittedAt: new Date(Date.now() - WEEK_MS).toISOString() });
    await submit(game, "new", 100);
    const pages = await Promise.all(
      [0, 1].map(async () => {
        const context = await viewer(browser);
        // The first answer is the one that a page got before Monday: the room of the week that is now over.
        await context.route(
          "**/live",
          async (route) => {
            const response = await route.fetch();
            const url = `${stack().party.replace("http", "ws")}/parties/main/${roomOf(game, lastWeek)}`;
            await route.fulfill({ response, json: { ...(await response.json()), url } });
          },
          { times: 1 },
        );
        const { page } = await openLive(context, pageOf(game));
        const sockets: string[] = [];
        page.on("websocket", (socket) => sockets.push(socket.url()));
        await until(
          "the page is in the new room",
          () => sockets.some((url) => url.endsWith(roomOf(game, weekOf(Date.now())))),
          30_000,
        );
        await shows(page, ["new 100"]);
        return page;
      }),
    );
    await submit(game, "newer", 150);
    for (const page of pages) {
      await shows(page, ["newer 150", "new 100"]);
    }
    await Promise.all(pages.map((page) => page.context().close()));
  });
});

test("an empty board and an unknown game say so", async () => {
  const context = await viewer(browser);
  const { page } = await openLive(context, pageOf(await freshGame()));
  const note = page.locator("#note strong");
  await until("the note", async () => (await note.textContent()) === "A clean board");
  await page.goto(pageOf("no-such-game"));
  await until("the note", async () => (await note.count()) === 1 && (await note.textContent()) === "No such game");
  await context.close();
});

test("the first load weighs less than 100 kB compressed", async () => {
  const game = await freshGame();
  const context = await viewer(browser);
  const page = await context.newPage();
  const sizes: number[] = [];
  page.on("response", async (response) => {
    const body = await response.body().catch(() => Buffer.alloc(0));
    sizes.push(gzipSync(body).length);
  });
  await page.goto(pageOf(game));
  await connection(page, "Live");
  await page.waitForLoadState("networkidle");
  expect(sizes.length).toBeGreaterThanOrEqual(4);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
  await context.close();
});
