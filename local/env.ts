import path from "node:path";
import { z } from "zod";
import { bearerText } from "../functions/env-fields.ts";
import { ROOT } from "./paths.ts";

/** The server key of a local stack when none is set; worth nothing anywhere else. */
export const DEV_SERVER_KEY = "eb_dev_local_only_0000000000000000";

/** Where the API, the page and the rooms listen; everything else stays on loopback. */
const HOSTS = ["127.0.0.1", "0.0.0.0"] as const;

/** Digits only: `0x50`, `1e3` and `80.0` are numbers to JavaScript, and a surprise to their author. */
const whole = (least: number, most: number, words: string) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most, words)
    .transform(Number);
const port = whole(1, 65_535, "must be a port: a whole number from 1 to 65535");
const address = (protocol: RegExp, example: string) => z.url({ protocol, error: `must look like ${example}` });

const environment = z
  .object({
    HOST: z.enum(HOSTS, { error: `must be ${HOSTS.join(" or ")}` }).default("127.0.0.1"),
    PORT: port.prefault("8787"),
    PARTY_PORT: port.prefault("1999"),
    DATA_DIR: z.string().default(".data"),
    SERVER_KEY: bearerText.default(DEV_SERVER_KEY),
    CRON_SECONDS: whole(0, 3_600, "must be a whole number of seconds from 0 (never) to 3600").prefault("10"),
    REDIS_URL: address(/^rediss?$/, "redis://host:6379").optional(),
    DATABASE_URL: address(/^postgres(ql)?$/, "postgresql://user:password@host:5432/database").optional(),
  })
  .refine(({ PORT, PARTY_PORT }) => PORT !== PARTY_PORT, {
    path: ["PARTY_PORT"],
    error: "must be another port than PORT: API and rooms listen side by side",
  });

/** The environment of `npm start`, parsed. */
export interface StackEnvironment {
  readonly host: (typeof HOSTS)[number];
  readonly port: number;
  readonly partyPort: number;
  readonly dataDir: string;
  readonly serverKey: string;
  readonly cronSeconds: number;
  readonly redisUrl?: string;
  readonly databaseUrl?: string;
}

/** Parses the environment; a wrong variable is an error that names it, never its value. */
export function parseStackEnvironment(source: Readonly<Record<string, string | undefined>>): StackEnvironment {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
    throw new Error(`the environment is not usable: ${problems.join("; ")}`);
  }
  const { HOST, PORT, PARTY_PORT, DATA_DIR, SERVER_KEY, CRON_SECONDS, REDIS_URL, DATABASE_URL } = parsed.data;
  return {
    host: HOST,
    port: PORT,
    partyPort: PARTY_PORT,
    dataDir: path.resolve(ROOT, DATA_DIR),
    serverKey: SERVER_KEY,
    cronSeconds: CRON_SECONDS,
    ...(REDIS_URL === undefined ? {} : { redisUrl: REDIS_URL }),
    ...(DATABASE_URL === undefined ? {} : { databaseUrl: DATABASE_URL }),
  };
}
