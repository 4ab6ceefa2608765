import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { createClient, ProblemError } from "../../client/index.ts";
import type { Client } from "../../client/index.ts";
import { weekOf } from "../../functions/domain/board/week.ts";
import { ROOT } from "../../local/paths.ts";
import { freshGameId } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";

const admin = (): Client => createClient({ baseUrl: stack().api, token: stack().serverKey });

async function freshGame(): Promise<string> {
  const game = freshGameId();
  await admin().putGame(game, { badges: [{ badge: "star", threshold: 100 }] });
  return game;
}

/** What a call was refused with. */
async function refusal(call: Promise<unknown>): Promise<ProblemError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProblemError)) throw new Error("not refused", { cause: error });
  return error;
}

test("every read of a board gives what was submitted, whatever the player is called", async () => {
  const client = admin();
  const game = await freshGame();
  const name = "a/b?c#d %2F ü";
  const first = await client.submit(game, { player: name, points: 300, country: "DE" });
  await client.submit(game, { player: "bob", points: 200, country: "DE" });
  expect(first).toMatchObject({ player: name, rank: 1, week: weekOf(Date.now()) });
  expect((await client.top(game, "current", { n: 1 })).entries).toMatchObject([{ player: name, points: 300 }]);
  expect((await client.top(game, "current", { country: "DE" })).boardSize).toBe(2);
  expect(await client.standing(game, "all-time", name)).toMatchObject({ rank: 1, points: 300 });
  expect((await client.around(game, "current", "bob", { k: 1 })).entries).toMatchObject([
    { player: name },
    { player: "bob" },
  ]);
  expect((await client.feed(game, { n: 1 })).events).toMatchObject([{ player: "bob", points: 200, rank: 2 }]);
  expect(await client.playersCount(game, "current")).toMatchObject({ ranked: 2 });
  expect(Array.isArray((await client.badges(game, name)).badges)).toBe(true);
  expect(await client.getGame(game)).toMatchObject({ game, badges: [{ badge: "star", threshold: 100 }] });
});

test("the same idempotency key counts once", async () => {
  const client = admin();
  const game = await freshGame();
  const first = await client.submit(game, { player: "ada", points: 10 }, "match-1");
  const again = await client.submit(game, { player: "ada", points: 10 }, "match-1");
  expect([again.submissionId, again.replayed]).toEqual([first.submissionId, true]);
  expect((await client.feed(game)).events).toHaveLength(1);
});

test("a batch answers in order", async () => {
  const { results } = await admin().submitBatch(await freshGame(), [
    { player: "ada", points: 10 },
    { player: "", points: 10 },
  ]);
  expect(results).toMatchObject([{ player: "ada", rank: 1 }, { status: 422 }]);
});

test("players can be banned, let in again and deleted, submissions taken back", async () => {
  const client = admin();
  const game = await freshGame();
  const { submissionId } = await client.submit(game, { player: "ada", points: 10 });
  await client.submit(game, { player: "bob", points: 5 });
  expect((await client.exportPlayer(game, "ada")).submissions).toMatchObject([{ submissionId, state: "ranked" }]);
  await client.ban(game, "ada");
  expect((await refusal(client.submit(game, { player: "ada", points: 20 }))).code).toBe("player-banned");
  await client.unban(game, "ada");
  await client.deleteSubmission(game, submissionId);
  await client.deletePlayer(game, "bob");
  await until("the board is empty", async () => (await client.top(game, "current")).entries.length === 0);
});

test("a submission that is held can be released or rejected", async () => {
  const client = admin();
  const game = freshGameId();
  await client.putGame(game, { maxImprovement: 100 });
  for (const player of ["ada", "bob"]) {
    await client.submit(game, { player, points: 10 });
    await client.submit(game, { player, points: 5_000 });
  }
  const [first, second] = (await client.held(game)).held;
  await client.release(game, first?.submissionId ?? "");
  await client.reject(game, second?.submissionId ?? "");
  expect((await client.held(game)).held).toEqual([]);
  await until("the released one counts", async () => (await client.standing(game, "current", "ada")).points === 5_000);
  expect(await client.nextSigningKey(game)).toMatchObject({ key: 1 });
});

test("refusals are ProblemErrors with a code, the fields and a request id", async () => {
  const game = await freshGame();
  const invalid = await refusal(admin().submit(game, { player: "ada", points: -1 }));
  expect([invalid.status, invalid.code, invalid.errors[0]?.pointer]).toEqual([422, "invalid", "/points"]);
  expect(invalid.requestId).toBeDefined();
  const anonymous = createClient({ baseUrl: stack().api });
  expect((await refusal(anonymous.submit(game, { player: "ada", points: 1 }))).status).toBe(401);
  expect((await refusal(anonymous.standing(game, "current", "nobody"))).code).toBe("not-ranked");
  expect((await refusal(anonymous.live("no-such-game"))).code).toBe("unknown-game");
});

test("a keyed submit is tried again while the service is out, and other writes are not", async () => {
  let calls = 0;
  const flaky: typeof fetch = (input, init) => {
    calls += 1;
    return calls === 1 ? Promise.resolve(new Response("<html>", { status: 503 })) : fetch(input, init);
  };
  const client = createClient({ baseUrl: stack().api, token: stack().serverKey, fetch: flaky });
  const game = await freshGame();
  expect(await client.submit(game, { player: "ada", points: 10 })).toMatchObject({ rank: 1 });
  expect(calls).toBe(2);
  calls = 0;
  expect((await refusal(client.ban(game, "ada"))).status).toBe(503);
  expect(calls).toBe(1);
});

test("the package names what it needs, in the version that is tested here", () => {
  const Package = z.object({ dependencies: z.record(z.string(), z.string()) });
  const [own, repository] = ["client/package.json", "package.json"].map(
    (file) => Package.parse(JSON.parse(readFileSync(path.join(ROOT, file), "utf8"))).dependencies,
  );
  expect(repository).toMatchObject({ ...own });
  expect(Object.keys(own ?? {})).toEqual(["partysocket"]);
});
