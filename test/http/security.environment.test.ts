import { generateKeyPair, exportJWK, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { createApp } from "../../functions/app.ts";
import { playerCaller } from "../../functions/adapters/auth/player-tokens.ts";
import { EnvError, parseEnv } from "../../functions/env.ts";
import { limitedAddress } from "../../functions/domain/address.ts";
import { rawToken } from "./security-callers.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const GOOD = {
  DATABASE_URL: "postgresql://user:password@db.example/edgeboard",
  UPSTASH_REDIS_REST_URL: "https://redis.example",
  UPSTASH_REDIS_REST_TOKEN: "token",
  PARTY_URL: "https://party.example",
  PARTY_PUSH_SECRET: "a-secret-of-sixteen-or-more",
};

function refused(variables: Readonly<Record<string, unknown>>): readonly string[] {
  try {
    parseEnv({ ...GOOD, ...variables });
    return [];
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    for (const value of Object.values(variables)) {
      if (typeof value === "string" && value.length > 4) expect(error.message).not.toContain(value);
    }
    return error.variables;
  }
}

async function keyPair(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid }, secretJwk: await exportJWK(privateKey) };
}

describe("the environment", () => {
  it("is fine with what is required", () => {
    expect(refused({})).toEqual([]);
  });

  it("names every variable that is missing or malformed, and shows no value", async () => {
    const { secretJwk } = await keyPair("k");
    for (const name of Object.keys(GOOD)) expect(refused({ [name]: undefined })).toEqual([name]);
    expect(refused({ PARTY_PUSH_SECRET: "short", PARTY_URL: "not a url" })).toEqual(["PARTY_URL", "PARTY_PUSH_SECRET"]);
    expect(refused({ PLAYER_TOKEN_SECRET: "31 bytes are too few for HS256." })).toEqual(["PLAYER_TOKEN_SECRET"]);
    expect(refused({ SIGNING_SECRET: "short one" })).toEqual(["SIGNING_SECRET"]);
    expect(refused({ PLAYER_TOKEN_JWKS: "{}" })).toEqual(["PLAYER_TOKEN_JWKS"]);
    expect(refused({ PLAYER_TOKEN_JWKS: JSON.stringify({ keys: [secretJwk] }) })).toEqual(["PLAYER_TOKEN_JWKS"]);
    for (const origins of ["null", "https://*.example", "https://a.example/path", "* https://a.example", "a.example"]) {
      expect(refused({ ALLOWED_ORIGINS: origins }), origins).toEqual(["ALLOWED_ORIGINS"]);
    }
  });

  it("takes one way to check player tokens, not two", async () => {
    const { jwk } = await keyPair("k");
    const jwks = JSON.stringify({ keys: [jwk] });
    expect(refused({ PLAYER_TOKEN_JWKS: jwks })).toEqual([]);
    expect(refused({ PLAYER_TOKEN_JWKS: jwks, PLAYER_TOKEN_SECRET: SECRET })).toEqual(["PLAYER_TOKEN_JWKS"]);
  });

  it("that is wrong is answered with a 500 that other origins can read and that names nothing", async () => {
    const app = createApp(
      () => {
        throw new EnvError(["DATABASE_URL"]);
      },
      () => ({ run: () => undefined, keep: () => undefined }),
      () => ["https://game.example"],
    );
    const answer = await app.request("/healthz", { headers: { origin: "https://game.example" } }, {});
    expect(answer.status).toBe(500);
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://game.example");
    expect(answer.headers.get("vary")).toBe("Origin");
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ type: "https://edgeboard.dev/problems/misconfigured" });
    expect(text).not.toContain("DATABASE_URL");
    const foreign = await app.request("/healthz", { headers: { origin: "https://evil.example" } }, {});
    expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
    const sandbox = await app.request("/healthz", { headers: { origin: "null" } }, {});
    expect(sandbox.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("player tokens by public keys", () => {
  const claims = { aud: "arena", sub: "ada", iss: "edgeboard", exp: Math.floor(Date.now() / 1000) + 600 };

  it("are found by their kid, and no other algorithm passes", async () => {
    const [first, second, foreign] = [await keyPair("first"), await keyPair("second"), await keyPair("second")];
    const jwks = { keys: [first.jwk, second.jwk] };
    const { playerTokens } = parseEnv({ ...GOOD, PLAYER_TOKEN_JWKS: JSON.stringify(jwks) });
    if (!playerTokens) throw new Error("no player tokens");
    const by = ({ kid, privateKey }: typeof first) =>
      new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid }).sign(privateKey);
    expect(await playerCaller(await by(first), playerTokens)).toMatchObject({ caller: { player: "ada" } });
    expect(await playerCaller(await by(second), playerTokens)).toMatchObject({ caller: { kind: "player" } });
    expect(await playerCaller(await by(foreign), playerTokens)).toEqual({
      refusal: expect.stringContaining("signature"),
    });
    // The public key as an HMAC secret, in the forms that libraries have taken it.
    for (const secret of [JSON.stringify(first.jwk), JSON.stringify(jwks), first.jwk.x ?? ""]) {
      const confused = rawToken({ alg: "HS256", kid: "first" }, claims, secret);
      expect(await playerCaller(confused, playerTokens)).toEqual({ refusal: expect.stringContaining("ES256") });
    }
  });
});

describe("the address that is limited", () => {
  it("is an IPv4 address, the /64 of an IPv6 one, and nothing on this machine", () => {
    expect(limitedAddress("203.0.113.7")).toBe("203.0.113.7");
    expect(limitedAddress("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2");
    expect(limitedAddress("2001:DB8::6")).toBe("2001:db8:0:0");
    expect(limitedAddress("2001:0db8:0000:0001:0:0:0:6")).toBe("2001:db8:0:1");
    expect(limitedAddress("::ffff:203.0.113.7")).toBe("203.0.113.7");
    expect(limitedAddress("::FFFF:203.0.113.8")).toBe("203.0.113.8");
    for (const none of [undefined, "", "127.0.0.1", "::1", "::ffff:127.0.0.1"]) {
      expect(limitedAddress(none)).toBeUndefined();
    }
  });
});
