import type { PoolClient } from "pg";
import { describe, expect, it } from "vitest";
import { createKey, endKey, listKeys, readLog, rotateKey } from "../../tools/keys/store.ts";
import { call } from "../harness/api.ts";
import { newGame, problemOf } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { appOnStack } from "./app-on-stack.ts";
import { databaseKey, playerToken } from "./security-callers.ts";

const { postgres } = openStores();

const prefixOf = (key: string) => key.split("_")[1] ?? "";

/** The CLI's own statements, on a connection of their own because some are transactions. */
async function withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await postgres.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

describe("server keys", () => {
  it("work at once when they are made, and are stored as a hash only", async () => {
    const game = await newGame();
    const key = await withClient((client) => createKey(client, game.id, ["submit"]));
    const answer = await call(`${game.base}/scores`, { body: { player: "ada", points: 1 }, key });
    expect(answer.status).toBe(201);
    const secret = key.slice(key.indexOf("_", 3) + 1);
    const { rows } = await postgres.query("select k::text as row from api_keys k where prefix = $1", [prefixOf(key)]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it("are made for games that exist only", async () => {
    await expect(withClient((client) => createKey(client, "no-such-game", ["submit"]))).rejects.toThrow("no game");
  });

  it("of a game that does not exist are an error and not an empty list, and so is its log", async () => {
    await expect(withClient((client) => listKeys(client, "no-such-game"))).rejects.toThrow('no game "no-such-game"');
    await expect(withClient((client) => readLog(client, "no-such-game", 5))).rejects.toThrow('no game "no-such-game"');
    const game = await newGame();
    expect(await withClient((client) => listKeys(client, game.id))).toEqual([]);
  });

  it("stop within 60 s of being revoked, although they were in use", async () => {
    const game = await newGame();
    const key = await withClient((client) => createKey(client, game.id, ["admin"]));
    let laterMs = 0;
    const app = appOnStack({}, () => Date.now() + laterMs);
    const ask = () => app.request(`${game.base}/held`, { headers: { authorization: `Bearer ${key}` } });
    expect((await ask()).status).toBe(200);
    await withClient((client) => endKey(client, prefixOf(key), 0));
    laterMs = 60_000;
    const refused = await ask();
    problemOf({ status: refused.status, headers: refused.headers, body: await refused.json() }, "unauthorized");
  });

  it("rotate without a gap: both work during the grace", async () => {
    const game = await newGame();
    const old = await withClient((client) => createKey(client, game.id, ["admin"]));
    const { key } = await withClient((client) => rotateKey(client, prefixOf(old), 1));
    for (const one of [old, key]) expect((await call(`${game.base}/held`, { key: one })).status).toBe(200);
    const { rows } = await postgres.query("select scopes from api_keys where prefix = $1", [prefixOf(key)]);
    expect(rows).toEqual([{ scopes: ["admin"] }]);
  });

  it("backdate only with the scope", async () => {
    const game = await newGame();
    const body = { player: "ada", points: 1, submittedAt: new Date(Date.now() - 60_000).toISOString() };
    const without = await databaseKey(postgres, game.id, ["submit"]);
    problemOf(await call(`${game.base}/scores`, { body, key: without }), "forbidden");
    const withIt = await databaseKey(postgres, game.id, ["submit", "backdate"]);
    expect((await call(`${game.base}/scores`, { body, key: withIt })).status).toBe(201);
  });

  it("show the largest improvement to administrators only", async () => {
    const game = await newGame({ maxImprovement: 500 });
    expect((await call(game.base, { key: null })).body).not.toHaveProperty("maxImprovement");
    const submitter = await databaseKey(postgres, game.id, ["submit"]);
    expect((await call(game.base, { key: submitter })).body).not.toHaveProperty("maxImprovement");
    const admin = await databaseKey(postgres, game.id, ["admin"]);
    expect((await call(game.base, { key: admin })).body).toMatchObject({ maxImprovement: 500 });
  });
});

describe("player tokens", () => {
  it("submit for their own player, in the present", async () => {
    const game = await newGame();
    const key = await playerToken(game.id, "ada");
    const post = (body: unknown) => call(`${game.base}/scores`, { body, key });
    expect((await post({ player: "ada", points: 5 })).status).toBe(201);
    problemOf(await post({ player: "bob", points: 5 }), "forbidden");
    problemOf(await post({ player: "ada", points: 5, submittedAt: new Date().toISOString() }), "forbidden");
    expect((await game.top()).entries).toMatchObject([{ player: "ada", points: 5 }]);
  });

  it("compare players byte for byte", async () => {
    const game = await newGame();
    const key = await playerToken(game.id, "7");
    problemOf(await call(`${game.base}/scores`, { body: { player: "07", points: 5 }, key }), "forbidden");
    const answer = await call(`${game.base}/scores`, { body: { player: "7", points: 5 }, key });
    expect(answer.body).toMatchObject({ player: "7" });
  });

  it("are not echoed in what they are refused with", async () => {
    const game = await newGame();
    const key = `${await playerToken(game.id, "ada")}x`;
    const answer = await call(`${game.base}/scores`, { body: { player: "ada", points: 5 }, key });
    expect(JSON.stringify(answer.body)).not.toContain(key.slice(0, 30));
  });
});
