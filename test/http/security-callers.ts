/** Every kind of caller that the table test knows. */
import { createHmac, generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import type { Pool } from "pg";
import { makeKey } from "../../tools/keys/store.ts";
import { stack } from "../harness/stack.ts";

type Claims = { readonly sub?: unknown; readonly exp?: number; readonly aud?: string; readonly iss?: string };

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token with any header and claims, signed with HMAC-SHA-256 unless `signature` says otherwise. */
export function rawToken(
  header: Readonly<Record<string, unknown>>,
  claims: Claims,
  secret: string,
  signature?: string,
): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${signature ?? createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

/** A valid player token, made as a game's backend would. */
export function playerToken(game: string, player: string): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("edgeboard")
    .setAudience(game)
    .setSubject(player)
    .setExpirationTime(inSeconds(600))
    .sign(new TextEncoder().encode(stack().playerTokenSecret));
}

/** A server key of the database, as `npm run keys -- create` makes them. */
export async function databaseKey(
  postgres: Pool,
  game: string,
  scopes: readonly string[],
  revoked = false,
): Promise<string> {
  const { key, prefix, hash } = makeKey();
  await postgres.query(
    `insert into api_keys (game, prefix, hash, scopes, revoked_at)
      values ($1, $2, $3, $4, case when $5 then now() end)`,
    [game, prefix, hash, scopes, revoked],
  );
  return key;
}

/** Bearer tokens by the kind of caller; null sends none. `player` is whom the table's requests are about. */
export async function callersOf(postgres: Pool, game: string, otherGame: string, player: string) {
  const secret = stack().playerTokenSecret;
  const good = { iss: "edgeboard", aud: game, sub: player, exp: inSeconds(600) };
  const hs256 = { alg: "HS256", typ: "JWT" };
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const rsaPublic = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();
  const { key: unknownKey } = makeKey();
  const known = await databaseKey(postgres, game, ["submit", "backdate", "admin"]);
  return {
    nobody: null,
    "malformed key": "eb_short",
    "unknown key": unknownKey,
    "known prefix, other secret": known.slice(0, -4) + (known.endsWith("AAAA") ? "BBBB" : "AAAA"),
    "revoked key": await databaseKey(postgres, game, ["submit", "backdate", "admin"], true),
    "key of another game": await databaseKey(postgres, otherGame, ["submit", "backdate", "admin"]),
    "key with submit only": await databaseKey(postgres, game, ["submit"]),
    "key with admin only": await databaseKey(postgres, game, ["admin"]),
    "key with everything": known,
    "key of the environment": stack().serverKey,
    "player token": await playerToken(game, player),
    "token of another player": await playerToken(game, "mallory"),
    "token for another game": await playerToken(otherGame, player),
    "expired token": rawToken(hs256, { ...good, exp: inSeconds(-60) }, secret),
    "token without exp": rawToken(hs256, { iss: good.iss, aud: good.aud, sub: good.sub }, secret),
    "token without sub": rawToken(hs256, { iss: good.iss, aud: good.aud, exp: good.exp }, secret),
    "token without aud": rawToken(hs256, { iss: good.iss, sub: good.sub, exp: good.exp }, secret),
    "token with a number as sub": rawToken(hs256, { ...good, sub: 7 }, secret),
    "token of another issuer": rawToken(hs256, { ...good, iss: "somebody" }, secret),
    "token with another secret": rawToken(hs256, good, `${secret}x`),
    "token with alg none": rawToken({ alg: "none" }, good, secret, ""),
    "token with alg NONE": rawToken({ alg: "NONE" }, good, secret, ""),
    "token that says HS512": rawToken({ alg: "HS512" }, good, secret),
    "token that says RS256": rawToken({ alg: "RS256" }, good, rsaPublic),
    "token with its own key": rawToken({ ...hs256, jwk: { kty: "oct", k: encode("mine") } }, good, encode("mine")),
  } as const;
}

export type CallerName = keyof Awaited<ReturnType<typeof callersOf>>;
