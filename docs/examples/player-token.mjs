// Signs a player token, as your backend does at login: node docs/examples/player-token.mjs <game> <player>
import { readFileSync } from "node:fs";
import { SignJWT } from "jose";

const [game = "arena", player = "ada"] = process.argv.slice(2);
const { DATA_DIR = ".data", PLAYER_TOKEN_ISSUER = "edgeboard" } = process.env;
// In a deployment: the PLAYER_TOKEN_SECRET that you chose. Here: the one that the local stack made up.
const secret =
  process.env.PLAYER_TOKEN_SECRET ?? JSON.parse(readFileSync(`${DATA_DIR}/secrets.json`, "utf8")).playerTokenSecret;

const token = await new SignJWT({})
  .setProtectedHeader({ alg: "HS256" })
  .setIssuer(PLAYER_TOKEN_ISSUER)
  .setAudience(game)
  .setSubject(player)
  .setExpirationTime("12h")
  .sign(new TextEncoder().encode(secret));
console.log(token);
