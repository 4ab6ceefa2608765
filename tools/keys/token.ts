/** Player tokens of the local stack, as a game's backend would sign them. */
import { SignJWT } from "jose";

/** The issuer of a stack that names none. */
const ISSUER = "edgeboard";

export type TokenOf = { readonly game: string; readonly player: string; readonly hours: number };

export async function playerToken(secret: string, { game, player, hours }: TokenOf): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(ISSUER)
    .setAudience(game)
    .setSubject(player)
    .setIssuedAt()
    .setExpirationTime(new Date(Date.now() + hours * 3_600_000))
    .sign(new TextEncoder().encode(secret));
}
