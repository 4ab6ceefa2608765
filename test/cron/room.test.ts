/** From a submission to a viewer's socket, through the real Worker and the real room. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { LiveResponse, SocketMessage } from "../../functions/contract/live.ts";
import { call, freshGame } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";

const tick = () => fetch(`${stack().api}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`).then((answer) => answer.text());

/** A viewer and the badges that reached it. */
async function watch(game: string) {
  const { url } = LiveResponse.parse((await call(`/v1/games/${game}/live`)).body);
  const socket = new WebSocket(url);
  const badges: string[] = [];
  let welcomed = false;
  socket.addEventListener("message", ({ data }) => {
    const message = SocketMessage.parse(JSON.parse(z.string().parse(data)));
    welcomed = true;
    if (message.type === "badge") badges.push(`${message.player} ${message.badge}`);
  });
  await until("the viewer is welcomed", () => welcomed);
  return { badges, close: () => socket.close() };
}

describe("a new badge", () => {
  it("reaches a viewer once, in the tick after the submission", async () => {
    const game = await freshGame();
    const viewer = await watch(game);
    await call(`/v1/games/${game}/scores`, { body: { player: "ann", points: 6_000 } });
    await tick();
    await until("both badges arrive", () => viewer.badges.length >= 2);
    await tick();
    await call(`/v1/games/${game}/scores`, { body: { player: "bob", points: 1_000 } });
    await tick();
    await until("the next one arrives", () => viewer.badges.includes("bob bronze"));
    viewer.close();
    expect(viewer.badges).toEqual(["ann bronze", "ann silver", "bob bronze"]);
  });
});
