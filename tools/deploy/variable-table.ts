/** Every variable a deployment needs: what for, where it goes, and where to get it. README.md shows this table. */
import type { z } from "zod";
import { accountId, https, jwks, login, neonUrl, secret, text, token } from "./value-schemas.ts";

export type Destination = "worker" | "room" | "script";

export type Variable = {
  readonly name: string;
  readonly goesTo: readonly Destination[];
  /** What is missing without it; undefined: nothing works without it. */
  readonly without?: string;
  readonly purpose: string;
  readonly source: string;
  readonly schema: z.ZodType<string>;
};

const RANDOM = "make one: `openssl rand -hex 32`";

export const VARIABLES: readonly Variable[] = [
  {
    name: "CLOUDFLARE_ACCOUNT_ID",
    goesTo: ["script"],
    purpose: "account that the Worker runs in",
    source: "Cloudflare dashboard → Workers & Pages → Account ID",
    schema: accountId,
  },
  {
    name: "CLOUDFLARE_API_TOKEN",
    goesTo: ["script"],
    purpose: "lets wrangler deploy",
    source: "Cloudflare dashboard → My Profile → API Tokens → template “Edit Cloudflare Workers”",
    schema: token,
  },
  {
    name: "PARTYKIT_LOGIN",
    goesTo: ["script"],
    purpose: "PartyKit user that the rooms belong to",
    source: "`npx partykit token generate` prints it",
    schema: login,
  },
  {
    name: "PARTYKIT_TOKEN",
    goesTo: ["script"],
    purpose: "lets partykit deploy",
    source: "`npx partykit token generate` prints it",
    schema: token,
  },
  {
    name: "API_URL",
    goesTo: ["room", "script"],
    purpose: "public address of the Worker: rooms ask it for boards, the smoke test calls it",
    source: "your domain, or https://edgeboard-<env>.<your subdomain>.workers.dev",
    schema: https,
  },
  {
    name: "PARTY_URL",
    goesTo: ["worker", "script"],
    purpose: "public address of the rooms",
    source: "https://edgeboard-<env>.<PARTYKIT_LOGIN>.partykit.dev",
    schema: https,
  },
  {
    name: "DATABASE_URL",
    goesTo: ["worker", "script"],
    purpose: "Postgres 18 at Neon; the script migrates over TCP, the Worker asks over HTTP",
    source: "Neon console → Connect → connection string",
    schema: neonUrl,
  },
  {
    name: "UPSTASH_REDIS_REST_URL",
    goesTo: ["worker", "script"],
    purpose: "Redis at Upstash",
    source: "Upstash console → database → REST API",
    schema: https,
  },
  {
    name: "UPSTASH_REDIS_REST_TOKEN",
    goesTo: ["worker", "script"],
    purpose: "Redis at Upstash; the standard token, not the read-only one",
    source: "Upstash console → database → REST API",
    schema: token,
  },
  {
    name: "PARTY_PUSH_SECRET",
    goesTo: ["worker", "room"],
    purpose: "proves to a room that a push comes from the Worker",
    source: RANDOM,
    schema: secret,
  },
  {
    name: "SERVER_KEY",
    goesTo: ["worker", "script"],
    purpose: "server key with all scopes for every game: the first key, and the smoke test's",
    source: RANDOM,
    schema: secret,
  },
  {
    name: "SIGNING_SECRET",
    goesTo: ["worker"],
    without: "games cannot ask for signed submissions",
    purpose: "the games' signing secrets are derived from it (docs/signing.md)",
    source: RANDOM,
    schema: secret,
  },
  {
    name: "PLAYER_TOKEN_SECRET",
    goesTo: ["worker"],
    without: "players cannot submit by themselves, unless PLAYER_TOKEN_JWKS is set",
    purpose: "checks player tokens that your backend signs with HS256",
    source: `${RANDOM}; your backend needs it too`,
    schema: secret,
  },
  {
    name: "PLAYER_TOKEN_JWKS",
    goesTo: ["worker"],
    without: "see PLAYER_TOKEN_SECRET",
    purpose: "checks player tokens that your backend signs with ES256: its public keys, instead of PLAYER_TOKEN_SECRET",
    source: "the public half of your backend's key pair, a JWKS as JSON",
    schema: jwks,
  },
  {
    name: "PLAYER_TOKEN_ISSUER",
    goesTo: ["worker"],
    without: "tokens must name the issuer `edgeboard`",
    purpose: "who signs player tokens (`iss`)",
    source: "choose it",
    schema: text,
  },
  {
    name: "ALLOWED_ORIGINS",
    goesTo: ["worker"],
    without: "pages of every origin may call the API",
    purpose: "origins whose pages may call the API, with spaces between",
    source: "where your browser games are served",
    schema: text,
  },
  {
    name: "METRICS_TOKEN",
    goesTo: ["worker"],
    without: "only SERVER_KEY reads /metrics",
    purpose: "may read /metrics and nothing else",
    source: RANDOM,
    schema: secret,
  },
  {
    name: "PARTY_PUSH_SECRET_PREVIOUS",
    goesTo: ["room"],
    without: "pushes with the last secret are refused from the moment the room is deployed",
    purpose: "accepted by rooms beside the new one while the secret is rotated",
    source: "the PARTY_PUSH_SECRET of the last deployment",
    schema: secret,
  },
];
