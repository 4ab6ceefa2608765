/** Tells who is behind a bearer token: a server key or a player. */
import type { Caller } from "../../services/callers.ts";
import { playerCaller, type PlayerTokenOptions } from "./player-tokens.ts";
import { serverKeyCaller, type ServerKeyOptions } from "./server-keys.ts";

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** The caller behind a bearer token, undefined when it is not valid. */
export async function authenticate(
  token: string,
  serverKeys: ServerKeyOptions,
  playerTokens: PlayerTokenOptions | undefined,
): Promise<Caller | undefined> {
  const server = await serverKeyCaller(token, serverKeys);
  if (server) return server;
  return playerTokens && JWT.test(token) ? playerCaller(token, playerTokens) : undefined;
}
