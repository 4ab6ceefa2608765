import { createHash, createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createSignatures } from "../../functions/adapters/auth/signatures.ts";
import { SigningKeyResponse } from "../../functions/contract/moderation.ts";
import { call } from "../harness/api.ts";
import { newGame, problemOf, type GameClient } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { playerToken } from "./security-callers.ts";

const { submissions } = openStores();

type Signed = { readonly nonce: string; readonly headers: Readonly<Record<string, string>>; readonly rawBody: string };
type Key = { readonly key: number; readonly secret: string };

/** As docs/signing.md says; `as` replaces parts of what is signed. */
function sign(
  game: GameClient,
  { key, secret }: Key,
  body: { player: string; points: number },
  as: { nonce?: string; timestamp?: number; path?: string; player?: string; rawBody?: string } = {},
): Signed {
  const rawBody = JSON.stringify(body);
  const nonce = as.nonce ?? randomUUID();
  const timestamp = String(as.timestamp ?? Date.now());
  const hash = createHash("sha256")
    .update(as.rawBody ?? rawBody)
    .digest("hex");
  const path = as.path ?? `${game.base}/scores`;
  const text = ["v1", "POST", path, timestamp, nonce, as.player ?? body.player, hash].join("\n");
  const signature = `${key}.${createHmac("sha256", secret).update(text).digest("hex")}`;
  return {
    nonce,
    rawBody,
    headers: {
      "edgeboard-signature": signature,
      "edgeboard-timestamp": timestamp,
      "edgeboard-nonce": nonce,
    },
  };
}

async function nextKey(game: GameClient): Promise<Key> {
  const answer = await call(`${game.base}/signing-key`, { method: "POST" });
  expect(answer.status).toBe(201);
  return SigningKeyResponse.parse(answer.body);
}

async function signingGame(signing = "players") {
  const game = await newGame({ signing });
  const secret = await nextKey(game);
  const token = await playerToken(game.id, "ada");
  return {
    game,
    secret,
    token,
    send: ({ headers, rawBody }: Pick<Signed, "headers" | "rawBody">, key: string = token) =>
      call(`${game.base}/scores`, { rawBody, headers, key }),
  };
}

const BODY = { player: "ada", points: 10 };

describe("the test vector of docs/signing.md", () => {
  const signatures = createSignatures("0123456789abcdef0123456789abcdef");
  const document = readFileSync(new URL("../../docs/signing.md", import.meta.url), "utf8");

  it("is what the service derives and accepts", async () => {
    const secret = await signatures.secret("arena", 1);
    expect(document).toContain(`| secret | \`${secret}\` |`);
    const signature = /`1\.([0-9a-f]{64})`/.exec(document)?.[1] ?? "";
    const request = {
      game: "arena",
      key: 1,
      method: "POST",
      path: "/v1/games/arena/scores",
      timestamp: "1795960991000",
      nonce: "b2f1c7d0-6f0e-4a8e-9a53-0d9d3f3f7c11",
      player: "ada",
      body: new TextEncoder().encode('{"player":"ada","points":1200}'),
      signature,
    };
    expect(await signatures.verify(request)).toBe(true);
    expect(await signatures.verify({ ...request, player: "eve" })).toBe(false);
  });
});

describe("signed submissions", () => {
  it("count, and their nonce is their idempotency key", async () => {
    const { game, secret, send } = await signingGame();
    const signed = sign(game, secret, BODY);
    const answer = await send(signed);
    expect(answer.status).toBe(201);
    expect(answer.headers.get("idempotency-key")).toBe(signed.nonce);
  });

  it("have no second effect when they are replayed, in the window or signed anew", async () => {
    const { game, secret, send } = await signingGame();
    const signed = sign(game, secret, BODY);
    await send(signed);
    const replay = await send(signed);
    expect(replay).toMatchObject({ status: 200, body: { replayed: true } });
    const again = await send(sign(game, secret, BODY, { nonce: signed.nonce }));
    expect(again).toMatchObject({ status: 200, body: { replayed: true } });
    expect(await submissions(game.id)).toBe(1);
  });

  it("refuse a nonce that was used for something else", async () => {
    const { game, secret, send } = await signingGame();
    const { nonce } = sign(game, secret, BODY);
    await send(sign(game, secret, BODY, { nonce }));
    problemOf(await send(sign(game, secret, { ...BODY, points: 11 }, { nonce })), "idempotency-conflict");
  });

  it("refuse everything that was not signed exactly so", async () => {
    const { game, secret, send } = await signingGame();
    const other = { ...secret, secret: secret.secret.replace(/^./, (digit) => (digit === "0" ? "1" : "0")) };
    const refused: Record<string, Signed> = {
      "another secret": sign(game, other, BODY),
      "another body": sign(game, secret, BODY, { rawBody: '{"player":"ada","points":9}' }),
      "another player": sign(game, secret, BODY, { player: "bob" }),
      "another path": sign(game, secret, BODY, { path: "/v1/games/other/scores" }),
      "too old": sign(game, secret, BODY, { timestamp: Date.now() - 125_000 }),
      "too early": sign(game, secret, BODY, { timestamp: Date.now() + 125_000 }),
      "a number that is not in force": sign(game, { ...secret, key: secret.key + 1 }, BODY),
    };
    for (const [what, signed] of Object.entries(refused)) {
      const answer = await send(signed);
      expect(answer.status, what).toBe(401);
      problemOf(answer, "bad-signature");
    }
    const good = sign(game, secret, BODY);
    for (const missing of Object.keys(good.headers)) {
      const headers = Object.fromEntries(Object.entries(good.headers).filter(([name]) => name !== missing));
      problemOf(await send({ ...good, headers }), "bad-signature");
    }
    problemOf(await send({ rawBody: good.rawBody, headers: {} }), "bad-signature");
    problemOf(await send({ ...good, headers: { ...good.headers, "idempotency-key": "other" } }), "invalid");
    expect(await submissions(game.id)).toBe(0);
  });

  it("take the secret before the current one for a day, and none before that", async () => {
    const { game, secret: first, send } = await signingGame();
    const second = await nextKey(game);
    expect((await send(sign(game, first, BODY))).status).toBe(201);
    expect((await send(sign(game, second, BODY))).status).toBe(201);
    await nextKey(game);
    problemOf(await send(sign(game, first, BODY)), "bad-signature");
  });

  it("are asked of players only, or of everyone, or checked where a caller sends them", async () => {
    const { game, secret, send } = await signingGame();
    expect((await game.post(BODY)).status).toBe(201);
    const strict = await signingGame("everyone");
    problemOf(await strict.game.post(BODY), "bad-signature");
    const [result] = await strict.game.batch([BODY]);
    expect(result).toMatchObject({ status: 401 });
    const open = await signingGame("nobody");
    expect((await open.send({ rawBody: JSON.stringify(BODY), headers: {} })).status).toBe(201);
    problemOf(await open.send(sign(open.game, secret, BODY)), "bad-signature");
    expect((await send(sign(game, secret, BODY))).status).toBe(201);
  });
});
