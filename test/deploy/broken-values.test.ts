/** Values that would break production: the script refuses each by the name of its variable, and shows none of them. */
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { VARIABLES } from "../../tools/deploy/variable-table.ts";
import { isFatal, readVariables } from "../../tools/deploy/variables.ts";
import { DUMMY_VALUES } from "./dummy-values.ts";

const keyOf = (curve: string, kid?: string) => ({
  ...generateKeyPairSync("ec", { namedCurve: curve }).publicKey.export({ format: "jwk" }),
  ...(kid === undefined ? {} : { kid }),
});
const jwksOf = (...keys: unknown[]) => JSON.stringify({ keys });
const P256 = keyOf("P-256");

/** A good value of every variable: the dummy ones, and those that may be left out. */
const GOOD: Readonly<Record<string, string>> = {
  ...DUMMY_VALUES,
  SIGNING_SECRET: "c".repeat(64),
  PLAYER_TOKEN_JWKS: jwksOf(P256),
  PLAYER_TOKEN_ISSUER: "studio",
  ALLOWED_ORIGINS: "https://game.example capacitor://localhost http://localhost:5173",
  METRICS_TOKEN: "d".repeat(64),
  PARTY_PUSH_SECRET_PREVIOUS: "e".repeat(64),
};

/** Names of the variables that are refused, each once. Never with the value in the sentence. */
function refused(values: Readonly<Record<string, string>>): string[] {
  const fatal = readVariables({ ...GOOD, ...values }).complaints.filter(isFatal);
  for (const { problem } of fatal) {
    expect(problem).toMatch(/^(missing|must|still|is the key) ?/);
    for (const value of Object.values(values)) if (value.trim().length > 8) expect(problem).not.toContain(value.trim());
  }
  return [...new Set(fatal.map(({ variable }) => variable.name))];
}

const names = (...kinds: RegExp[]) => Object.keys(GOOD).filter((name) => kinds.some((kind) => kind.test(name)));
const ADDRESSES = names(/^(API|PARTY)_URL$/, /^UPSTASH.*URL$/);
const SECRETS = names(/SECRET/, /KEY$/, /^METRICS_TOKEN$/);
const TOKENS = names(/^(CLOUDFLARE_API|PARTYKIT|UPSTASH.*)_TOKEN$/);

test("good values are ready, and every variable but the one that another replaces has one here", () => {
  expect(refused({})).toEqual([]);
  expect(VARIABLES.map(({ name }) => name).filter((name) => !(name in GOOD))).toEqual(["PLAYER_TOKEN_SECRET"]);
  const { PLAYER_TOKEN_JWKS: _, ...others } = GOOD;
  expect(readVariables({ ...others, PLAYER_TOKEN_SECRET: "f".repeat(32) }).complaints.filter(isFatal)).toEqual([]);
});

/** What copying and pasting does to any value. */
const COPIED: Readonly<Record<string, (value: string) => string>> = {
  "a line break at its end": (value) => `${value}\n`,
  "a Windows line break at its end": (value) => `${value}\r\n`,
  "a line break in it": (value) => `${value.slice(0, 12)}\n${value.slice(12)}`,
  "a tab in front": (value) => `\t${value}`,
  "a space in front": (value) => ` ${value}`,
  "a space at its end": (value) => `${value} `,
  "nothing but spaces": () => "   ",
  "quotes around it": (value) => `"${value}"`,
  "a character that cannot be seen": (value) => `${value}\u200b`,
  "a secret that the console masks": (value) => `${value.slice(0, 12)}****${value.slice(-4)}`,
  "a placeholder": () => "https://edgeboard.<your subdomain>.workers.dev",
  "more than a variable holds": (value) => value + "x".repeat(6_000),
};

describe.each(Object.entries(COPIED))("%s", (what, spoil) => {
  // A JWKS is JSON, which may be written over several lines.
  const spoiled = names(/./).filter(
    (name) => !(name === "PLAYER_TOKEN_JWKS" && /line break|tab|space (in|at)/.test(what)),
  );
  test.each(spoiled)("is refused in %s", (name) => {
    expect(refused({ [name]: spoil(GOOD[name] ?? "") })).toEqual([name]);
  });
});

test.each(ADDRESSES)("%s is an address that the internet knows, and nothing behind it", (name) => {
  const good = GOOD[name] ?? "";
  const broken = [
    ...["/", "/v1", "?", "?a=b", "#x", ":443", ":99999"].map((end) => good + end),
    good.replace("https", "http"),
    good.replace("https", "wss"),
    good.replace("https://", ""),
    good.toUpperCase(),
    good.replace("://", "://user:password@"),
    ...["localhost", "127.0.0.1", "10.0.0.7", "192.168.1.9", "172.20.0.2", "[::1]", "studio.local", "worker"].map(
      (h) => `https://${h}`,
    ),
    ...["100.64.0.1", "studio.lan", "studio.localdomain", "router.home.arpa", "studio..example", ".studio.example"].map(
      (h) => `https://${h}`,
    ),
    "https://studio.example.",
    "https://",
    "https:///",
    "//studio.example",
    "studio",
    "null",
  ];
  for (const value of broken) expect(refused({ [name]: value }), value).toEqual([name]);
});

test("the rooms have an address of their own", () => {
  expect(refused({ PARTY_URL: GOOD["API_URL"] ?? "" })).toEqual(["PARTY_URL"]);
});

test.each([...SECRETS, ...TOKENS])("%s can stand in a header", (name) => {
  const good = GOOD[name] ?? "";
  for (const value of [`${good.slice(0, 8)} ${good}`, `${good}é`, `${good}\u200b`, `${good}\u00a0`, good.slice(0, 8)])
    expect(refused({ [name]: value }), JSON.stringify(value)).toEqual([name]);
});

test.each(names(/SECRET/, /^SERVER_KEY$/, /^METRICS_TOKEN$/))(
  "%s is long, and not longer than a header may be",
  (name) => {
    for (const value of ["x".repeat(31), "x".repeat(513)]) expect(refused({ [name]: value })).toEqual([name]);
    expect(refused({ [name]: "x".repeat(32) })).toEqual([]);
  },
);

test("the key that every local stack has is no key of a deployment", () => {
  expect(refused({ SERVER_KEY: "eb_dev_local_only_0000000000000000" })).toEqual(["SERVER_KEY"]);
});

const { x: _x, ...withoutX } = P256;
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
test.each([
  ["no JSON", "{keys:[]}"],
  ["a key that is not in a set", JSON.stringify(P256)],
  ["no keys", jwksOf()],
  ["a PEM", "-----BEGIN PUBLIC KEY-----"],
  ["an address", "https://studio.example/jwks.json"],
  ["another curve", jwksOf(keyOf("P-384"))],
  ["an RSA key", jwksOf(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "jwk" }))],
  ["a private key", jwksOf(privateKey.export({ format: "jwk" }))],
  ["half a point", jwksOf(withoutX)],
  ["a point beside the curve", jwksOf({ ...P256, x: P256.y })],
  ["another algorithm", jwksOf({ ...P256, alg: "RS256" })],
  ["a good key and a bad one", jwksOf({ ...P256, kid: "a" }, { ...keyOf("P-384"), kid: "b" })],
  ["two keys without names", jwksOf(P256, keyOf("P-256"))],
  ["two keys of one name", jwksOf(keyOf("P-256", "a"), keyOf("P-256", "a"))],
])("PLAYER_TOKEN_JWKS is refused with %s", (_, value) => {
  expect(refused({ PLAYER_TOKEN_JWKS: value })).toEqual(["PLAYER_TOKEN_JWKS"]);
});

test("PLAYER_TOKEN_JWKS may hold two keys with names, over several lines", () => {
  const keys = JSON.stringify({ keys: [keyOf("P-256", "a"), keyOf("P-256", "b")] }, null, 2);
  expect(refused({ PLAYER_TOKEN_JWKS: keys })).toEqual([]);
});

test("PLAYER_TOKEN_JWKS beside PLAYER_TOKEN_SECRET is refused", () => {
  expect(refused({ PLAYER_TOKEN_SECRET: "f".repeat(64) })).toEqual(["PLAYER_TOKEN_JWKS"]);
});

test.each([
  ["https://game.example/"],
  ["https://game.example https://other.example/"],
  ["https://game.example/play"],
  ["https://game.example:443"],
  ["https://Game.example"],
  ["game.example"],
  ["*.game.example"],
  ["https://*.game.example"],
  ["* https://game.example"],
  ["null"],
  ["https://game..example"],
  ["https://."],
  ["https://.game.example"],
  ["https://game.example."],
  ["https://game.example;https://other.example"],
  [","],
])("ALLOWED_ORIGINS is refused with %s", (value) => {
  expect(refused({ ALLOWED_ORIGINS: value })).toEqual(["ALLOWED_ORIGINS"]);
});

test.each([
  ["mysql://u:p@ep-a.eu-central-1.aws.neon.tech/db"],
  ["https://ep-a.eu-central-1.aws.neon.tech/db"],
  ["postgresql://u:p@localhost:5432/db"],
  ["postgresql://u:p@db.example/db"],
  ["postgresql://u:p@neon.tech.example/db"],
  ["postgresql://ep-a.eu-central-1.aws.neon.tech/db"],
  ["postgresql://u@ep-a.eu-central-1.aws.neon.tech/db"],
  ["postgresql://u:p@ep-a.eu-central-1.aws.neon.tech"],
  ["postgresql://u:p@ep-a.eu-central-1.aws.neon.tech/"],
  ["postgresql://u:p@.neon.tech/db"],
  ["postgresql://u:p@ep-a,ep-b.neon.tech/db"],
  ["postgresql://u:p@ep-a.eu-central-1.aws.neon.tech:99999/db"],
  ["postgresql://u:p@ep-a.eu-central-1.aws.neon.tech/db/other"],
  ["postgresql://u:p@ep-a.eu-central-1.aws.neon.tech/db#x"],
  ["postgresql://u:p%@ep-a.eu-central-1.aws.neon.tech/db"],
  ["postgresql://u:%zz@ep-a.eu-central-1.aws.neon.tech/db"],
  ["postgresql://%E9:p@ep-a.eu-central-1.aws.neon.tech/db"],
  ["postgresql://u:p@ep-a.eu-central-1.aws.neon.tech/%zz"],
  ["postgresql://u:p@ep-a.eu-central-1.aws.neon.tech/d%00b"],
  ["psql 'postgresql://u:p@ep-a.eu-central-1.aws.neon.tech/db'"],
])("DATABASE_URL is refused with %s", (value) => {
  expect(refused({ DATABASE_URL: value })).toEqual(["DATABASE_URL"]);
});

test.each([
  ["CLOUDFLARE_ACCOUNT_ID", "my-account"],
  ["CLOUDFLARE_ACCOUNT_ID", "0123456789abcdef0123456789abcde"],
  ["PARTYKIT_LOGIN", "studio.partykit.dev"],
  ["PARTYKIT_LOGIN", "the studio"],
])("%s is refused with %s", (name, value) => {
  expect(refused({ [name]: value })).toEqual([name]);
});
