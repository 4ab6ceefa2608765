/** Tells who is behind a bearer token: a server key or a player. */
import type { Authenticated } from "../../services/access/callers.ts";
import { playerCaller, type PlayerTokenOptions } from "./player-tokens.ts";
import { isKnownServerKey, serverKeyCaller, type ServerKeyOptions } from "./server-keys.ts";

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** The caller behind a bearer token, or what is wrong with it, as far as that does not help a guesser. */
export async function authenticate(
  token: string,
  serverKeys: ServerKeyOptions,
  playerTokens: PlayerTokenOptions | undefined,
): Promise<Authenticated> {
  const caller = await serverKeyCaller(token, serverKeys);
  if (caller) return { caller };
  if (token.startsWith("eb_")) return { refusal: "The server key is not valid: mistyped, revoked, or made elsewhere." };
  if (!JWT.test(token))
    return { refusal: "The credentials are neither a server key of this service nor a player token." };
  if (!playerTokens) {
    return {
      refusal:
        "The credentials are a player token, and this service takes none: " +
        "neither PLAYER_TOKEN_SECRET nor PLAYER_TOKEN_JWKS is set up.",
    };
  }
  return playerCaller(token, playerTokens);
}

/** Whose token it is, as far as can be told without asking a store: for what comes before the stores. */
export async function recognise(
  token: string,
  serverKeys: ServerKeyOptions,
  playerTokens: PlayerTokenOptions | undefined,
): Promise<"server-key" | "player" | undefined> {
  if (await isKnownServerKey(token, serverKeys)) return "server-key";
  const isPlayer = playerTokens && JWT.test(token) && "caller" in (await playerCaller(token, playerTokens));
  return isPlayer ? "player" : undefined;
}
