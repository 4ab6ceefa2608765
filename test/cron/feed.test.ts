import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FeedResponse } from "../../functions/contract/feed.ts";
import { streamOf } from "./stream.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const many = (n: number) => Array.from({ length: n }, (_, i) => ({ player: `p${i}`, points: 1_000 + i }));

async function page(game: string, query: string) {
  return FeedResponse.parse(await world.api("GET", `/v1/games/${game}/feed?${query}`));
}

/** All pages, newest first. */
async function whole(game: string, n: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const { events, next } = await page(game, `n=${n}${cursor === null ? "" : `&cursor=${cursor}`}`);
    ids.push(...events.map(({ submissionId }) => submissionId));
    cursor = next;
  } while (cursor !== null);
  return ids;
}

describe("the feed", () => {
  it("shows the newest submission first", async () => {
    const game = await world.game();
    const first = await world.submit(game, { player: "ann", points: 5 });
    const second = await world.submit(game, { player: "bob", points: 7 });
    const { events } = await page(game, "n=10");
    expect(events.map(({ submissionId }) => submissionId)).toEqual([...second, ...first]);
    expect(events[0]).toMatchObject({ player: "bob", points: 7, best: 7, rank: 1 });
  });

  it("pages by id without repeating or skipping, while new submissions come in", async () => {
    const game = await world.game();
    const ids = await world.submit(game, ...many(25));
    const { events, next } = await page(game, "n=10");
    await world.submit(game, ...many(5));
    const rest = await page(game, `n=10&cursor=${next}`);
    const last = await page(game, `n=10&cursor=${rest.next}`);
    const seen = [events, rest.events, last.events].flat().map(({ submissionId }) => submissionId);
    expect(seen).toEqual(ids.toReversed());
    expect(last.next).toBeNull();
  });

  it("shows a submission once, however often it was sent", async () => {
    const game = await world.game();
    const body = { submissions: [{ player: "ann", points: 5, idempotencyKey: "match-1" }] };
    await Promise.all(Array.from({ length: 5 }, () => world.api("POST", `/v1/games/${game}/scores/batch`, body)));
    expect(await whole(game, 10)).toHaveLength(1);
  });

  it("is about as long as configured once the badge group has handled everything", async () => {
    const game = await world.game({ feedLength: 100 });
    const ids = await world.submit(game, ...many(900));
    await world.tick();
    const length = await streamOf(world.redis, game).length();
    expect(length).toBeGreaterThanOrEqual(100);
    expect(length).toBeLessThanOrEqual(200);
    expect(await whole(game, 50)).toEqual(ids.toReversed().slice(0, length));
  });

  it("keeps what a reader has not acknowledged, and what no reader has read", async () => {
    const game = await world.game({ feedLength: 100 });
    const stream = streamOf(world.redis, game);
    await world.submit(game, ...many(900));
    await stream.abandon(1, 0);
    await world.tick();
    expect(await stream.length()).toBe(900);
    await stream.ageNow();
    await world.tick();
    expect(await stream.length()).toBeLessThanOrEqual(200);
    expect(await world.badges(game)).toHaveLength(900);
  });

  it("is trimmed before its game is forgotten, when the run that drained it died before it could", async () => {
    const game = await world.game({ feedLength: 100 });
    await world.submit(game, ...many(900));
    await world.upstash.faults([{ match: "lb_trim", action: "drop-before", times: 1 }]);
    await world.tick();
    expect(await streamOf(world.redis, game).length()).toBe(900);
    await world.postgres.query("update submissions set id = uuidv7(interval '-1 minute') where game = $1", [game]);
    for (let minute = 1; minute < 5; minute++) await world.tick(minute * 60_000);
    expect(await world.redis.zscore("lb:active", game)).toBeNull();
    expect(await streamOf(world.redis, game).length()).toBeLessThanOrEqual(200);
  });
});
