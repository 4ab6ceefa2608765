import { describe, expect, it } from "vitest";
import { call } from "../harness/api.ts";
import { newGame, problemOf } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { removeSubmission, shown, tick } from "./moderation-steps.ts";

const stores = openStores();

describe("a removed submission", () => {
  it("gives its place to the player's next best, with its old time, and takes its badges along", async () => {
    const game = await newGame();
    const first = await game.submit({ player: "ada", points: 1_200, country: "DE" });
    await game.submit({ player: "bob", points: 1_500, country: "DE" });
    const cheated = await game.submit({ player: "ada", points: 6_000, country: "DE" });
    await tick();
    await removeSubmission(game, cheated.submissionId);
    expect(await shown(game)).toMatchObject({ week: ["bob", "ada"], country: ["bob", "ada"], allTime: ["bob", "ada"] });
    const [, ada] = (await game.top()).entries;
    expect(ada).toMatchObject({ points: 1_200, achievedAt: `${first.submittedAt.slice(0, 19)}.000Z` });
    expect((await game.badges("ada")).map(({ badge }) => badge)).toEqual(["bronze"]);
    const events = (await game.feed()).events.map(({ submissionId }) => submissionId);
    expect(events).not.toContain(cheated.submissionId);
    expect(events).toContain(first.submissionId);
    await tick();
    expect((await game.badges("ada")).map(({ badge }) => badge)).toEqual(["bronze"]);
  });

  it("that was the only one takes the player off the boards", async () => {
    const game = await newGame();
    const { submissionId } = await game.submit({ player: "ada", points: 10, country: "DE" });
    await removeSubmission(game, submissionId);
    await removeSubmission(game, submissionId);
    expect(await shown(game)).toEqual({ week: [], country: [], allTime: [], feed: [] });
    expect(await stores.bests(game.id)).toEqual([]);
  });

  it("keeps its idempotency key used", async () => {
    const game = await newGame();
    const { submissionId } = await game.submit({ player: "ada", points: 10, country: "DE" }, "k");
    await removeSubmission(game, submissionId);
    problemOf(await game.post({ player: "ada", points: 10, country: "DE" }, "k"), "submission-removed");
    expect((await game.post({ player: "ada", points: 8, country: "DE" })).status).toBe(201);
    expect((await shown(game)).week).toEqual(["ada"]);
  });

  it("that does not exist is a 404, and a malformed id a 422", async () => {
    const game = await newGame();
    const remove = (id: string) => call(`${game.base}/submissions/${id}`, { method: "DELETE" });
    problemOf(await remove("00000000-0000-7000-8000-000000000000"), "not-found");
    problemOf(await remove("not-an-id"), "invalid");
    const other = await (await newGame()).submit({ player: "ada", points: 10 });
    problemOf(await remove(other.submissionId), "not-found");
  });
});
