import { describe, expect, it, vi } from "vitest";
import { createApp } from "../../functions/app.ts";
import { createDeps } from "../../functions/deps.ts";
import { parseEnv } from "../../functions/env.ts";
import { libraryText } from "../../lua/library.ts";
import { DUMMY_VALUES } from "../deploy/dummy-values.ts";
import { call, freshGame } from "../harness/api.ts";
import { problemOf } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { stack } from "../harness/stack.ts";
import { callersOf, playerToken, rawToken, type CallerName } from "./security-callers.ts";

const stores = openStores();

/** What a 401 says to each caller that is nobody. */
const SAYS: Readonly<Partial<Record<CallerName, string>>> = {
  nobody: "Send credentials",
  "malformed key": "server key is not valid",
  "unknown key": "server key is not valid",
  "known prefix, other secret": "server key is not valid",
  "revoked key": "server key is not valid",
  "expired token": "token has expired",
  "token without exp": "no expiry (`exp`)",
  "token without sub": "no subject (`sub`)",
  "token without aud": "no audience (`aud`)",
  "token with a number as sub": "subject (`sub`) is no player id",
  "token of another issuer": 'issuer (`iss`) is not "edgeboard"',
  "token with another secret": "signature is not by the key",
  "token with alg none": "not signed with HS256",
  "token with alg NONE": "not signed with HS256",
  "token that says HS512": "not signed with HS256",
  "token that says RS256": "not signed with HS256",
  "token with its own key": "signature is not by the key",
};

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const HS256 = { alg: "HS256", typ: "JWT" };

describe("credentials that are refused", () => {
  it("are told what is wrong with them and which ones the route takes", async () => {
    const game = await freshGame();
    const callers = await callersOf(stores.postgres, game, await freshGame(), "ada");
    const told = Object.keys(SAYS);
    for (const [name, key] of Object.entries(callers).filter(([caller]) => told.includes(caller))) {
      const body = { player: "ada", points: 1 };
      const { detail } = problemOf(await call(`/v1/games/${game}/scores`, { body, key }), "unauthorized");
      expect(detail, name).toContain(Object.entries(SAYS).find(([caller]) => caller === name)?.[1]);
      expect(detail, name).toContain("takes a server key or a player token");
      const admin = problemOf(await call(`/v1/games/${game}/held`, { key }), "unauthorized");
      expect(admin.detail, name).toMatch(/takes a server key\.$/);
    }
  });

  it("learn nothing of their claims unless the signature is right", async () => {
    const game = await freshGame();
    const bad = { iss: "somebody", aud: game, sub: "ada", exp: inSeconds(-600) };
    const ask = async (token: string) =>
      problemOf(await call(`/v1/games/${game}/held`, { key: token }), "unauthorized").detail;
    const signed = rawToken(HS256, bad, stack().playerTokenSecret);
    const forged = rawToken(HS256, bad, "another secret that is long enough");
    expect(await ask(signed)).toContain("issuer");
    expect(await ask(forged)).toContain("signature is not by the key");
    expect(await ask(forged)).not.toMatch(/expired|issuer/);
  });

  it("are told of a token that is not valid yet, of no token at all, and of another scheme", async () => {
    const game = await freshGame();
    const claims = { iss: "edgeboard", aud: game, sub: "ada", exp: inSeconds(600), nbf: inSeconds(300) };
    const held = (headers: Record<string, string>) => call(`/v1/games/${game}/held`, { key: null, headers });
    const detailOf = async (authorization: string) => problemOf(await held({ authorization }), "unauthorized").detail;
    expect(await detailOf(`Bearer ${rawToken(HS256, claims, stack().playerTokenSecret)}`)).toContain("not valid yet");
    expect(await detailOf("Bearer ab.cd.ef")).toContain("cannot be read");
    expect(await detailOf("Bearer hello")).toContain("neither a server key of this service nor a player token");
    for (const other of ["Basic YTpi", "hello", "Bearer", "Bearer a b", stack().serverKey]) {
      expect(await detailOf(other), other).toContain("`Bearer`, a space, and a key or token");
    }
  });

  it("of another game are told which ones", async () => {
    const [game, other] = [await freshGame(), await freshGame()];
    const body = { player: "ada", points: 1 };
    const refusal = async (key: string) =>
      problemOf(await call(`/v1/games/${game}/scores`, { body, key }), "forbidden").detail;
    expect(await refusal(await playerToken(other, "ada"))).toContain("player token is for another game");
    const callers = await callersOf(stores.postgres, game, other, "ada");
    expect(await refusal(callers["key of another game"])).toContain("server key belongs to another game");
  });

  it("are told that a service without a secret takes no player tokens", async () => {
    vi.spyOn(console, "info").mockImplementation(() => undefined);
    const app = createApp(
      (_bindings, background) => createDeps(parseEnv(DUMMY_VALUES), libraryText(), background),
      () => ({ run: () => undefined, keep: () => undefined }),
    );
    const authorization = `Bearer ${await playerToken("arena", "ada")}`;
    const answer = await app.request("/v1/games/arena/scores", { method: "POST", headers: { authorization } });
    vi.restoreAllMocks();
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain("neither PLAYER_TOKEN_SECRET nor PLAYER_TOKEN_JWKS is set up");
  });
});
