import { describe, expect, it } from "vitest";
import { LiveResponse } from "../../functions/contract/live.ts";
import { call, freshGame } from "../harness/api.ts";

async function roomsOf(game: string, viewers: number): Promise<Set<string>> {
  const answers = await Promise.all(Array.from({ length: viewers }, () => call(`/v1/games/${game}/live`)));
  return new Set(
    answers.map(({ body }) => LiveResponse.parse(body)).map(({ week, room }) => room.replace(week, "week")),
  );
}

describe("GET /live", () => {
  it("names one room while a game has one", async () => {
    const game = await freshGame();
    expect(await roomsOf(game, 5)).toEqual(new Set([`${game}_week`]));
  });

  it("spreads viewers over the rooms of a game that has several, and its url leads to the room", async () => {
    const game = await freshGame({ shards: 3 });
    // 60 draws leave a room out with a chance below 1 in 10 billion.
    expect(await roomsOf(game, 60)).toEqual(new Set([`${game}_week`, `${game}_week_s1`, `${game}_week_s2`]));
    const { url, room } = LiveResponse.parse((await call(`/v1/games/${game}/live`)).body);
    expect(url).toMatch(new RegExp(`^ws://.*/parties/main/${room}$`));
  });
});
