/** What a variable of a deployment must look like. Messages say what is wrong and never repeat a value. */
import { createPublicKey } from "node:crypto";
import { z } from "zod";
import { bearerText, longSecret, publicOrigin } from "../../functions/env-fields.ts";
import { DEV_SERVER_KEY } from "../../local/env.ts";

/** One line, as it is: what a copied value brings along is refused before it is stored as a secret that fits nothing. */
const oneLine = z
  .string()
  .refine((value) => !/\p{Cc}/u.test(value), "must not have a line break, a tab or another control character")
  .refine((value) => value === value.trim(), "must not begin or end with a space")
  .refine((value) => !/^(["'`]).*\1$/s.test(value), "must not stand in quotes")
  .refine((value) => !/\p{Cf}/u.test(value), "must not have a character that cannot be seen")
  // How consoles show a secret until it is revealed.
  .refine((value) => !/\*{3}|[•…]/u.test(value), "must not be masked: copy it where it is shown in full")
  .refine((value) => !/<[^<>]+>/.test(value), "still holds a <placeholder>");

export const text = oneLine.min(1);
export const token = oneLine.pipe(bearerText.min(16, "must have at least 16 characters"));

/** Short secrets can be guessed, and the development key is public. */
export const secret = oneLine
  .pipe(bearerText.pipe(longSecret))
  .refine((value) => value !== DEV_SERVER_KEY, "is the key of every local stack: make one of your own");
export const accountId = oneLine.regex(/^[0-9a-f]{32}$/, "must be 32 hexadecimal digits");
export const login = oneLine.regex(/^[A-Za-z0-9_-]+$/, "must be a PartyKit user name");

const PRIVATE =
  /^(0|10|127|169\.254|192\.168|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|172\.(1[6-9]|2\d|3[01]))\.|\.(local|localhost|localdomain|internal|lan|arpa)$/;

/** Two labels or more, none of them empty. */
const LABELS = /^[^.]+(\.[^.]+)+$/;

function urlOf(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined;
}

const isPublic = (value: string): boolean => {
  const host = urlOf(value)?.hostname ?? "";
  return LABELS.test(host) && !PRIVATE.test(host);
};

export const https = oneLine.pipe(
  publicOrigin
    .refine((value) => urlOf(value)?.protocol === "https:", "must begin with https://")
    .refine(isPublic, "must be an address that the internet knows"),
);

/** Whether percent signs in it are of an encoding: drivers decode user, password and database. */
function isDecodable(part: string): boolean {
  try {
    return decodeURIComponent(part) !== "" && !part.includes("%00");
  } catch {
    return false;
  }
}

/** The Worker makes its HTTP address from this one, which only works for Neon's hosts. */
export const neonUrl = oneLine.refine((value) => {
  const url = urlOf(value);
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) return false;
  return (
    /^([a-z0-9-]+\.)+neon\.(tech|build)$/.test(url.hostname) &&
    /^\/[^/]+$/.test(url.pathname) &&
    url.hash === "" &&
    [url.username, url.password, url.pathname.slice(1)].every(isDecodable)
  );
}, "must be a connection string of Neon: postgresql://<user>:<password>@<endpoint>.neon.tech/<database>");

function isOnCurve(key: unknown): boolean {
  try {
    createPublicKey({ key: z.record(z.string(), z.unknown()).parse(key), format: "jwk" });
    return true;
  } catch {
    return false;
  }
}

/** That the numbers make a key at all; the Worker's own schema says the rest. It may be written over several lines. */
export const jwks = z.string().refine((value) => {
  try {
    return z
      .object({ keys: z.array(z.unknown()).min(1) })
      .parse(JSON.parse(value))
      .keys.every(isOnCurve);
  } catch {
    return false;
  }
}, "must be a JWKS of public P-256 keys, as JSON");
