import { describe, expect, it } from "vitest";
import { HeldResponse, MAX_EXPORT, PlayerExport } from "../../functions/contract/moderation.ts";
import { call } from "../harness/api.ts";
import { newGame, type GameClient } from "../harness/game.ts";

/** Sizes of the pages until one says that it is the last. */
async function sizesOf<T>(read: (cursor: string | undefined) => Promise<{ items: readonly T[]; next: string | null }>) {
  const sizes: number[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await read(cursor);
    sizes.push(items.length);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return sizes;
}

const heldPage = (game: GameClient, n: number) => async (cursor: string | undefined) => {
  const query = `n=${n}${cursor === undefined ? "" : `&cursor=${cursor}`}`;
  const { held, next } = HeldResponse.parse((await call(`${game.base}/held?${query}`)).body);
  return { items: held, next };
};

const feedPage = (game: GameClient, n: number) => async (cursor: string | undefined) => {
  const { events, next } = await game.feed({ n, ...(cursor === undefined ? {} : { cursor }) });
  return { items: events, next };
};

const exportPage = (game: GameClient, player: string) => async (cursor: string | undefined) => {
  const query = cursor === undefined ? "" : `?cursor=${cursor}`;
  const { submissions, next } = PlayerExport.parse((await call(`${game.base}/players/${player}/export${query}`)).body);
  return { items: submissions, next };
};

describe("the last page has no next, also when it is full", () => {
  it.each([
    [4, 2, [2, 2]],
    [5, 2, [2, 2, 1]],
    [2, 2, [2]],
    [1, 2, [1]],
  ])("of a feed or review of %i in pages of %i", async (size, n, pages) => {
    const game = await newGame({ maxImprovement: 100 });
    await game.batch(Array.from({ length: size }, (_, i) => ({ player: `small-${i}`, points: 10 })));
    await game.batch(Array.from({ length: size }, (_, i) => ({ player: `large-${i}`, points: 5_000 })));
    expect(await sizesOf(feedPage(game, n))).toEqual(pages);
    expect(await sizesOf(heldPage(game, n))).toEqual(pages);
  });

  it("of a player's export", async () => {
    const game = await newGame();
    await game.batch(Array.from({ length: MAX_EXPORT }, (_, i) => ({ player: "ada", points: i })));
    expect(await sizesOf(exportPage(game, "ada"))).toEqual([MAX_EXPORT]);
    await game.submit({ player: "ada", points: 1 });
    expect(await sizesOf(exportPage(game, "ada"))).toEqual([MAX_EXPORT, 1]);
  });
});
