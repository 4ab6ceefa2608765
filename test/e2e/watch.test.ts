/** watchTop in Node, against the stack's rooms. */
import { afterEach, expect, test } from "vitest";
import { createClient } from "../../client/index.ts";
import type { Client, ConnectionState, TopMessage, Watch } from "../../client/index.ts";
import { call, freshGame, freshGameId } from "../harness/api.ts";
import { forwards, plays, startForeignServer } from "../harness/foreign-server.ts";
import { stack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";

const admin = (): Client => createClient({ baseUrl: stack().api, token: stack().serverKey });

let closing: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
  closing = [];
});

/** A watch that ends with the test, and the states it went through. */
function watching(client: Client, game: string): { states: ConnectionState[]; watch: Watch } {
  const states: ConnectionState[] = [];
  const watch = client.watchTop(game, { state: (state) => states.push(state) });
  closing.push(watch.close);
  return { states, watch };
}

test("shows the board, every change of it, and ends when told", async () => {
  const client = admin();
  const game = await freshGame();
  await client.submit(game, { player: "ada", points: 10 });
  const tops: TopMessage[] = [];
  const states: ConnectionState[] = [];
  const calls: string[] = [];
  const watch = client.watchTop(game, {
    top: (top) => tops.push(top),
    state: (state) => states.push(state),
    announcement: ({ player, rank }) => calls.push(`${player} is now #${rank}`),
  });
  await until("the board", () => tops.length > 0);
  await client.submit(game, { player: "bob", points: 20 });
  await until("the change", () => tops.at(-1)?.entries[0]?.player === "bob");
  await until("the announcement", () => calls.length > 0);
  watch.close();
  expect(calls).toEqual(["bob is now #1"]);
  expect(states).toEqual(["connecting", "live", "closed"]);
  expect(tops.every((top, index) => index === 0 || BigInt(top.version) > BigInt(tops[index - 1]?.version ?? 0))).toBe(
    true,
  );
});

test("waits for a game that is made a moment later", async () => {
  const game = freshGameId();
  const { states } = watching(admin(), game);
  await until("the client knows", () => states.at(-1) === "unknown-game");
  await call(`/v1/games/${game}`, { method: "PUT", body: {} });
  await until("the board", () => states.at(-1) === "live", 20_000);
  expect(states).toEqual(["connecting", "unknown-game", "live"]);
});

test("stops asking for an unknown game when it is closed", async () => {
  const server = await startForeignServer();
  closing.push(server.close);
  server.play(forwards(stack().api));
  const { states, watch } = watching(createClient({ baseUrl: server.url }), freshGameId());
  await until("the client knows", () => states.at(-1) === "unknown-game");
  watch.close();
  expect(states).toEqual(["connecting", "unknown-game", "closed"]);
});

test("outlives a portal that answers 404, and one that answers 200, in the place of the service", async () => {
  const server = await startForeignServer();
  closing.push(server.close);
  const html = "<!doctype html><title>Sign in to the hotel</title>";
  server.play(plays(404, html), plays(200, html), forwards(stack().api));
  const { states } = watching(createClient({ baseUrl: server.url }), await freshGame());
  await until("the board", () => states.at(-1) === "live", 30_000);
  expect(states).toEqual(["connecting", "live"]);
  expect(server.calls.length).toBe(3);
});
