/** Player tokens: JWTs that a game's backend gives to its players. One algorithm, fixed by the configuration. */
import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTVerifyOptions } from "jose";
import { NamedPlayer } from "../../contract/primitives.ts";
import type { Authenticated, Caller } from "../../services/access/callers.ts";
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

/** Claims by what they are called in a sentence. */
const CLAIMS: Readonly<Record<string, string>> = {
  exp: "expiry (`exp`)",
  iss: "issuer (`iss`)",
  sub: "subject (`sub`)",
  aud: "audience (`aud`)",
  nbf: "start (`nbf`)",
};

/** What jose found. It looks at claims last, so that only the holder of a signed token learns what is wrong with them. */
function refusalOf(error: unknown, { issuer, keys }: PlayerTokenOptions): string {
  if (error instanceof errors.JOSEAlgNotAllowed) return `The player token is not signed with ${keys.algorithm}.`;
  if (error instanceof errors.JWTExpired) return "The player token has expired.";
  if (error instanceof errors.JWTClaimValidationFailed) {
    const name = CLAIMS[error.claim] ?? `\`${error.claim}\``;
    if (error.reason === "missing") return `The player token has no ${name}.`;
    if (error.claim === "nbf") return "The player token is not valid yet.";
    return `The player token's ${name} is not ${error.claim === "iss" ? `"${issuer}"` : "valid"}.`;
  }
  const isForeign =
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys;
  return isForeign
    ? "The player token's signature is not by the key that is set up here."
    : "The player token cannot be read.";
}

/** The player behind a token, or what is wrong with it. */
export async function playerCaller(token: string, options: PlayerTokenOptions): Promise<Authenticated> {
  try {
    const { payload } = await verify(token, options);
    // jose leaves the type of `sub` alone; a number would have lost digits already.
    const player = NamedPlayer.safeParse(payload.sub);
    if (!player.success) return { refusal: "The player token's subject (`sub`) is no player id." };
    const games = new Set([payload.aud ?? []].flat());
    return { caller: { kind: "player", scopes: NO_SCOPES, games, name: "player", player: player.data } };
  } catch (error) {
    return { refusal: refusalOf(error, options) };
  }
}
