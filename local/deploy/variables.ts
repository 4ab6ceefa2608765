/** Every variable a deployment needs: what for, where it goes, and where to get it. docs/deploy.md shows this table. */
import { z } from "zod";

export type Destination = "worker" | "room" | "script";

export type Variable = {
  readonly name: string;
  readonly goesTo: readonly Destination[];
  readonly required: boolean;
  readonly purpose: string;
  readonly source: string;
  readonly schema: z.ZodType<string>;
};

const RANDOM = "make one: `openssl rand -hex 32`";
const MIN_SECRET_BYTES = 32;

const https = z.url({ protocol: /^https$/ });
const text = z.string().min(1);
/** Short secrets can be guessed, and dummy ones get forgotten. */
const secret = z
  .string()
  .refine(
    (value) => new TextEncoder().encode(value).byteLength >= MIN_SECRET_BYTES,
    `at least ${MIN_SECRET_BYTES} bytes`,
  );
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });
const token = z.string().min(16);

export const VARIABLES: readonly Variable[] = [
  {
    name: "CLOUDFLARE_ACCOUNT_ID",
    goesTo: ["script"],
    required: true,
    purpose: "account that the Worker runs in",
    source: "Cloudflare dashboard → Workers & Pages → Account ID",
    schema: text,
  },
  {
    name: "CLOUDFLARE_API_TOKEN",
    goesTo: ["script"],
    required: true,
    purpose: "lets wrangler deploy",
    source: "Cloudflare dashboard → My Profile → API Tokens → template “Edit Cloudflare Workers”",
    schema: token,
  },
  {
    name: "PARTYKIT_LOGIN",
    goesTo: ["script"],
    required: true,
    purpose: "PartyKit user that the rooms belong to",
    source: "`npx partykit token generate` prints it",
    schema: text,
  },
  {
    name: "PARTYKIT_TOKEN",
    goesTo: ["script"],
    required: true,
    purpose: "lets partykit deploy",
    source: "`npx partykit token generate` prints it",
    schema: token,
  },
  {
    name: "API_URL",
    goesTo: ["room", "script"],
    required: true,
    purpose: "public address of the Worker: rooms ask it for boards, the smoke test calls it",
    source: "your domain, or https://edgeboard-<env>.<your subdomain>.workers.dev",
    schema: https,
  },
  {
    name: "PARTY_URL",
    goesTo: ["worker", "script"],
    required: true,
    purpose: "public address of the rooms",
    source: "https://edgeboard-<env>.<PARTYKIT_LOGIN>.partykit.dev",
    schema: https,
  },
  {
    name: "DATABASE_URL",
    goesTo: ["worker", "script"],
    required: true,
    purpose: "Postgres 18 at Neon; the script migrates over TCP, the Worker asks over HTTP",
    source: "Neon console → Connect → connection string",
    schema: postgresUrl,
  },
  {
    name: "UPSTASH_REDIS_REST_URL",
    goesTo: ["worker", "script"],
    required: true,
    purpose: "Redis at Upstash",
    source: "Upstash console → database → REST API",
    schema: https,
  },
  {
    name: "UPSTASH_REDIS_REST_TOKEN",
    goesTo: ["worker", "script"],
    required: true,
    purpose: "Redis at Upstash; the standard token, not the read-only one",
    source: "Upstash console → database → REST API",
    schema: token,
  },
  {
    name: "PARTY_PUSH_SECRET",
    goesTo: ["worker", "room"],
    required: true,
    purpose: "proves to a room that a push comes from the Worker",
    source: RANDOM,
    schema: secret,
  },
  {
    name: "PLAYER_TOKEN_SECRET",
    goesTo: ["worker"],
    required: true,
    purpose: "signs player tokens",
    source: RANDOM,
    schema: secret,
  },
  {
    name: "SERVER_KEY",
    goesTo: ["worker", "script"],
    required: true,
    purpose: "server key with all scopes for every game: the first key, and the smoke test's",
    source: RANDOM,
    schema: secret,
  },
  {
    name: "METRICS_TOKEN",
    goesTo: ["worker"],
    required: false,
    purpose: "may read /metrics and nothing else",
    source: RANDOM,
    schema: secret,
  },
  {
    name: "PARTY_PUSH_SECRET_PREVIOUS",
    goesTo: ["room"],
    required: false,
    purpose: "accepted by rooms beside the new one while the secret is rotated",
    source: "the PARTY_PUSH_SECRET of the last deployment",
    schema: secret,
  },
];

export type Values = Readonly<Record<string, string>>;
export type Complaint = { readonly variable: Variable; readonly problem: "missing" | string };

/** What is set, without empty values, and what is wrong with the rest. Complaints never hold a value. */
export function readVariables(environment: Readonly<Record<string, string | undefined>>): {
  readonly values: Values;
  readonly complaints: readonly Complaint[];
} {
  const values: Record<string, string> = {};
  const complaints: Complaint[] = [];
  for (const variable of VARIABLES) {
    const given = environment[variable.name];
    if (given === undefined || given === "") {
      if (variable.required) complaints.push({ variable, problem: "missing" });
      continue;
    }
    const parsed = variable.schema.safeParse(given);
    if (parsed.success) values[variable.name] = parsed.data;
    else complaints.push({ variable, problem: parsed.error.issues.map((issue) => issue.message).join("; ") });
  }
  return { values, complaints };
}

/** The values that go to the Worker, or to the rooms under the names that they have there. */
export function valuesFor(destination: "worker" | "room", values: Values): Values {
  const names = VARIABLES.filter(({ goesTo }) => goesTo.includes(destination)).map(({ name }) => name);
  const roomName = (name: string) => name.replace(/^PARTY_PUSH_/, "PUSH_");
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [[destination === "room" ? roomName(name) : name, value]];
    }),
  );
}
