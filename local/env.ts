import path from "node:path";
import { z } from "zod";
import { ROOT } from "./paths.ts";

/** The server key of a local stack when none is set; worth nothing anywhere else. */
export const DEV_SERVER_KEY = "eb_dev_local_only_0000000000000000";

const port = (fallback: number) => z.coerce.number().int().min(1).max(65_535).default(fallback);

const environment = z.object({
  PORT: port(8_787),
  PARTY_PORT: port(1_999),
  DATA_DIR: z.string().min(1).default(".data"),
  SERVER_KEY: z.string().min(1).default(DEV_SERVER_KEY),
  CRON_SECONDS: z.coerce.number().int().min(0).max(3_600).default(10),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
});

/** The environment of `npm start`, parsed. */
export interface StackEnvironment {
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
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`the environment is not usable: ${problems.join("; ")}`);
  }
  const { PORT, PARTY_PORT, DATA_DIR, SERVER_KEY, CRON_SECONDS, REDIS_URL, DATABASE_URL } = parsed.data;
  return {
    port: PORT,
    partyPort: PARTY_PORT,
    dataDir: path.resolve(ROOT, DATA_DIR),
    serverKey: SERVER_KEY,
    cronSeconds: CRON_SECONDS,
    ...(REDIS_URL === undefined ? {} : { redisUrl: REDIS_URL }),
    ...(DATABASE_URL === undefined ? {} : { databaseUrl: DATABASE_URL }),
  };
}
