/** What viewers see though pushes, their answers or Redis are lost: the last state reaches every socket. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { LiveResponse, roomOf, SocketMessage } from "../../functions/contract/live.ts";
import { until } from "../harness/until.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => world.fault("upstash", []));

async function liveOf(game: string): Promise<LiveResponse> {
  return LiveResponse.parse(await (await world.call(`/v1/games/${game}/live`)).json());
}

/** A viewer and what reached it. */
function watch(url: string) {
  const seen = { players: "", boardSize: 0, badges: new Set<string>() };
  const socket = new WebSocket(url);
  socket.addEventListener("message", ({ data }) => {
    const message = SocketMessage.parse(JSON.parse(String(data)));
    if (message.type === "badge") seen.badges.add(`${message.player} ${message.badge}`);
    if (message.type !== "top") return;
    seen.players = message.entries.map(({ player }) => player).join();
    seen.boardSize = message.boardSize;
  });
  const shows = (players: string) => until(`${players} is shown, not ${seen.players}`, () => seen.players === players);
  const counts = (n: number) => until(`${n} players, not ${seen.boardSize}`, () => seen.boardSize === n, 5_000);
  return { seen, shows, counts, close: () => socket.close() };
}

async function gameWithViewer(config: Readonly<Record<string, unknown>> = {}) {
  const game = await world.newGame(config);
  await world.postUntilAccepted(game, { player: "ann", points: 1_000 });
  const viewer = watch((await liveOf(game)).url);
  await viewer.shows("ann");
  return { game, viewer };
}

describe("a viewer", () => {
  it("sees the last board though the answer that the push was read from is lost", async () => {
    const { game, viewer } = await gameWithViewer();
    await world.fault("upstash", [{ match: "lb_push_v2", action: "drop-after", times: 1 }]);
    await world.postUntilAccepted(game, { player: "bob", points: 2_000 });
    await viewer.shows("bob,ann");
    viewer.close();
  });

  it("sees it after the next tick though no push was made at all", async () => {
    const { game, viewer } = await gameWithViewer();
    await world.fault("upstash", [{ match: "lb_push_v2", action: "drop-before", times: 3 }]);
    await world.postUntilAccepted(game, { player: "bob", points: 2_000 });
    await until("all attempts are used up", async () => (await world.faultsLeft("upstash")) === 0);
    await world.tick();
    await viewer.shows("bob,ann");
    viewer.close();
  });

  it("sees what came in while Redis does not answer", async () => {
    const { game, viewer } = await gameWithViewer();
    await world.fault("upstash", [{ match: game, action: "drop-before" }]);
    await world.postUntilAccepted(game, { player: "bob", points: 2_000 });
    await viewer.shows("bob,ann");
    viewer.close();
  });

  it("sees how many play within seconds, though none of them comes into the first ten", async () => {
    const { game, viewer } = await gameWithViewer();
    await world.postTogether(
      game,
      Array.from({ length: 12 }, (_, i) => ({ player: `p${i}`, points: 900 - i })),
    );
    await viewer.counts(13);
    for (let i = 0; i < 3; i += 1) await world.postUntilAccepted(game, { player: `late-${i}`, points: 1 });
    await viewer.counts(16);
    viewer.close();
  });
});

describe("two hundred new badges in three rooms", () => {
  it("reach the viewers of all three", async () => {
    const { game, viewer } = await gameWithViewer({ shards: 3, badges: [{ badge: "bronze", threshold: 100 }] });
    viewer.close();
    const { url, room, week } = await liveOf(game);
    const viewers = [undefined, 1, 2].map((shard) => watch(url.replace(room, roomOf(game, week, shard))));
    await until("all are there", () => viewers.every(({ seen }) => seen.players !== ""));
    const players = Array.from({ length: 200 }, (_, i) => `player-${i}-${"ä".repeat(20)}`);
    await world.postTogether(
      game,
      players.map((player) => ({ player, points: 500 })),
    );
    await world.tick();
    const expected = players.map((player) => `${player} bronze`).sort();
    await until(
      `all badges are announced, not ${viewers.map(({ seen }) => seen.badges.size).join()}`,
      () => viewers.every(({ seen }) => expected.every((badge) => seen.badges.has(badge))),
      20_000,
    );
    for (const { seen, close } of viewers) {
      expect([...seen.badges].filter((badge) => !badge.startsWith("ann")).sort()).toEqual(expected);
      close();
    }
  });
});
