/** What the moderation tests do and look at: everything of a game that a reader can see. */
import { expect } from "vitest";
import { LiveResponse, TopMessage } from "../../functions/contract/live.ts";
import { call } from "../harness/api.ts";
import type { GameClient } from "../harness/game.ts";
import { stack } from "../harness/stack.ts";

/** Fires the cron, which drains badges and reconciles boards. */
export async function tick(): Promise<void> {
  const response = await fetch(`${stack().api}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`);
  await response.text();
  expect(response.status).toBe(200);
}

const playerPath = (game: GameClient, player: string) => `${game.base}/players/${encodeURIComponent(player)}`;

export async function ban(game: GameClient, player: string): Promise<void> {
  expect((await call(`${playerPath(game, player)}/ban`, { method: "PUT" })).status).toBe(204);
}

export async function unban(game: GameClient, player: string): Promise<void> {
  expect((await call(`${playerPath(game, player)}/ban`, { method: "DELETE" })).status).toBe(204);
}

export async function deletePlayer(game: GameClient, player: string): Promise<void> {
  expect((await call(playerPath(game, player), { method: "DELETE" })).status).toBe(204);
}

export async function removeSubmission(game: GameClient, submissionId: string): Promise<void> {
  expect((await call(`${game.base}/submissions/${submissionId}`, { method: "DELETE" })).status).toBe(204);
}

/** Players in order on each board of the current week in this country, the week, and all time; and in the feed. */
export async function shown(game: GameClient, country = "DE") {
  const [week, ofCountry, allTime, feed] = await Promise.all([
    game.top(),
    game.top("current", { country }),
    game.top("all-time"),
    game.feed({ n: 100 }),
  ]);
  const players = (entries: readonly { readonly player: string }[]) => entries.map(({ player }) => player);
  for (const { entries, boardSize } of [week, ofCountry, allTime]) {
    // Ranks close up, and the board is as large as it looks.
    expect(entries.map(({ rank }) => rank)).toEqual(entries.map((_, i) => i + 1));
    expect(boardSize).toBe(entries.length);
  }
  return {
    week: players(week.entries),
    country: players(ofCountry.entries),
    allTime: players(allTime.entries),
    feed: [...new Set(players(feed.events))].sort(),
  };
}

/** A viewer of the game's room that remembers the newest top 10. */
export async function watch(game: GameClient) {
  const { url } = LiveResponse.parse((await call(`${game.base}/live`)).body);
  const socket = new WebSocket(url);
  let top: readonly string[] = [];
  socket.addEventListener("message", ({ data }) => {
    const parsed = TopMessage.safeParse(JSON.parse(String(data)));
    if (parsed.success) top = parsed.data.entries.map(({ player }) => player);
  });
  return { top: () => top, close: () => socket.close() };
}
