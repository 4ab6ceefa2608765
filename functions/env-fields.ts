/** Fields of the environment that are more than text. */
import type { JSONWebKeySet } from "jose";
import { z } from "zod";
import type { LimitBinding } from "./adapters/limits.ts";
import type { PlayerTokenOptions } from "./adapters/auth/player-tokens.ts";

/** What can stand behind `Bearer`: with anything else the variable is set and every request that carries it refused. */
export const bearerText = z
  .string()
  .regex(/^[\x21-\x7e]*$/, "must be visible ASCII characters without spaces")
  .max(512, "must have at most 512 characters");

/** Addresses are put together by appending a path, and browsers send origins without one. */
export const publicOrigin = z
  .url({ protocol: /^https?$/, error: "must be an address that begins with http:// or https://" })
  .refine(
    (text) => !URL.canParse(text) || new URL(text).origin === text,
    "must be scheme and host alone: no slash, path or anything else behind them, and no capital letters",
  );

/** HMAC-SHA-256 is as strong as its key: 32 bytes or more. */
export const longSecret = z
  .string()
  .refine((secret) => new TextEncoder().encode(secret).length >= 32, "must have at least 32 bytes");

/** 32 bytes in base64url. */
const coordinate = z.string().regex(/^[\w-]{43}$/);
const publicKey = z.object({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  x: coordinate,
  y: coordinate,
  kid: z.string().optional(),
  alg: z.literal("ES256").optional(),
  // A private key has no business here.
  d: z.undefined().optional(),
});
/** Of several keys a token has to name one. */
const keySet = z.object({ keys: z.array(publicKey).min(1) }).refine(({ keys }) => {
  const names = new Set(keys.map(({ kid }) => kid));
  return keys.length === 1 || (names.size === keys.length && !names.has(undefined));
});

/** A JWKS of public P-256 keys, as JSON text. */
export const publicKeys = z.string().transform((text, context): JSONWebKeySet => {
  try {
    const { keys } = keySet.parse(JSON.parse(text));
    return {
      keys: keys.map(({ kty, crv, x, y, kid, alg }) => ({
        kty,
        crv,
        x,
        y,
        ...(kid === undefined ? {} : { kid }),
        ...(alg === undefined ? {} : { alg }),
      })),
    };
  } catch {
    context.addIssue({ code: "custom", message: "must be a JWKS of public P-256 keys" });
    return z.NEVER;
  }
});

/** Scheme, host and perhaps a port, as browsers and app shells (`capacitor://localhost`) send them. */
function isOrigin(text: string): boolean {
  if (
    !/^[a-z][a-z0-9+.-]*:\/\/([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(:\d{1,5})?$/.test(text) ||
    !URL.canParse(text)
  )
    return false;
  // The port that a scheme has anyway is never sent.
  return !/^https?:/.test(text) || new URL(text).origin === text;
}

/** `*`, or exact origins. Never `null`, which any sandboxed frame sends. */
export const allowedOrigins = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ""))
  .refine(
    (origins) =>
      origins.length > 0 && origins.every((origin) => isOrigin(origin) || (origin === "*" && origins.length === 1)),
    "must be * or origins such as https://studio.example, each without a slash or a path",
  );

const isLimitBinding = (value: unknown): value is LimitBinding =>
  typeof value === "object" && value !== null && "limit" in value && typeof value.limit === "function";

export const limitBinding = z.custom<LimitBinding>(isLimitBinding);

/** How player tokens are checked; undefined when the service takes none. */
export function playerTokensOf(variables: {
  readonly PLAYER_TOKEN_SECRET?: string | undefined;
  readonly PLAYER_TOKEN_JWKS?: JSONWebKeySet | undefined;
  readonly PLAYER_TOKEN_ISSUER: string;
}): PlayerTokenOptions | undefined {
  const { PLAYER_TOKEN_SECRET: secret, PLAYER_TOKEN_JWKS: jwks, PLAYER_TOKEN_ISSUER: issuer } = variables;
  if (secret !== undefined) return { issuer, keys: { algorithm: "HS256", secret } };
  if (jwks !== undefined) return { issuer, keys: { algorithm: "ES256", jwks } };
  return undefined;
}
