/** Player tokens: JWTs that a game's backend gives to its players. One algorithm, fixed by the configuration. */
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet, type JWTVerifyOptions } from "jose";
import { Player } from "../../contract/primitives.ts";
import type { Caller } from "../../services/callers.ts";
import { hmacKey, utf8 } from "./secrets.ts";

export type PlayerTokenOptions = {
  readonly issuer: string;
  readonly keys:
    | { readonly algorithm: "HS256"; readonly secret: string }
    | { readonly algorithm: "ES256"; readonly jwks: JSONWebKeySet };
};

const CLOCK_TOLERANCE_SECONDS = 30;
const NO_SCOPES: Caller["scopes"] = new Set();

/** The imported secret, once an isolate. A settled value: promises must not be shared between requests. */
let imported: { readonly of: string; readonly key: CryptoKey } | undefined;

async function secretKey(secret: string): Promise<CryptoKey> {
  if (imported?.of !== secret) imported = { of: secret, key: await hmacKey(utf8(secret), ["verify"]) };
  return imported.key;
}

async function verify(token: string, { issuer, keys }: PlayerTokenOptions) {
  const rules: JWTVerifyOptions = {
    issuer,
    algorithms: [keys.algorithm],
    requiredClaims: ["exp", "sub", "aud"],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  };
  return keys.algorithm === "HS256"
    ? jwtVerify(token, await secretKey(keys.secret), rules)
    : jwtVerify(token, createLocalJWKSet(keys.jwks), rules);
}

/** The player behind a token; undefined when it is not valid, for whatever reason (jose's messages stay here). */
export async function playerCaller(token: string, options: PlayerTokenOptions): Promise<Caller | undefined> {
  try {
    const { payload } = await verify(token, options);
    // jose leaves the type of `sub` alone; a number would have lost digits already.
    const player = Player.safeParse(payload.sub);
    if (!player.success) return undefined;
    const games = new Set([payload.aud ?? []].flat());
    return { kind: "player", scopes: NO_SCOPES, games, name: "player", player: player.data };
  } catch {
    return undefined;
  }
}
