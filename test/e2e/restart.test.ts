import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Stack } from "../../local/stack.ts";
import { startOwnStack } from "../harness/own-stack.ts";
import { SERVER_KEY } from "../harness/server-key.ts";
import { closeViewers, connection, launch, openLive, shows, viewer } from "./browser.ts";

let browser: Browser;
let own: Stack;
beforeAll(async () => {
  own = await startOwnStack();
  browser = await launch();
});
afterAll(async () => {
  await closeViewers(browser);
  await own.stop();
});

async function submit(player: string, points: number): Promise<void> {
  const response = await fetch(`${own.info.api}/v1/games/arena/scores`, {
    method: "POST",
    headers: { authorization: `Bearer ${SERVER_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ player, points }),
  });
  expect(response.status).toBe(201);
}

test("after the room server died the page says so, comes back by itself and shows what happened meanwhile", async () => {
  await submit("ada", 100);
  const { page } = await openLive(await viewer(browser), `${own.info.api}/?game=arena`);
  await shows(page, ["ada 100"]);

  own.component("party")?.kill("SIGKILL");
  await connection(page, "Reconnecting");
  await submit("bob", 200);

  await connection(page, "Live", 90_000);
  await shows(page, ["bob 200", "ada 100"]);
  await submit("eve", 300);
  await shows(page, ["eve 300", "bob 200", "ada 100"]);
}, 180_000);
