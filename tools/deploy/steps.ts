/** A deployment, step by step: expand, load, deploy, prove; contracting waits for a later run (docs/deploy.md). */
import { Pool } from "pg";
import { createStoreMarks } from "../../functions/adapters/store-marks.ts";
import { markTogether } from "../../functions/services/operations/store-marks.ts";
import { tcpPostgres } from "../doctor/tcp-postgres.ts";
import { libraryText } from "../../lua/library.ts";
import { exactnessComplaints } from "./exactness.ts";
import { connectRedis, libraryComplaints, putLibrary } from "./library.ts";
import { applyPending, directUrl } from "./migrations.ts";
import type { DeployEnvironment } from "./options.ts";
import { publishRoom, publishWorker } from "./publish.ts";
import { smokeTest } from "./smoke.ts";
import type { Values } from "./variables.ts";

type Say = (line: string) => void;

/** A replica may learn of a library a moment later (PLATFORM 9.3). */
const LIBRARY_MS = 15_000;
const POLL_MS = 500;

export async function expand(databaseUrl: string, say: Say): Promise<void> {
  const { applied, waiting } = await applyPending(databaseUrl, "expand");
  say(applied.length === 0 ? "migrations: nothing to apply" : `migrations applied: ${applied.join(", ")}`);
  if (waiting.length > 0) say(`waiting for --contract: ${waiting.join(", ")}`);
}

export async function contract(databaseUrl: string, say: Say): Promise<void> {
  const { applied } = await applyPending(databaseUrl, "all");
  say(applied.length === 0 ? "migrations: nothing to apply" : `migrations applied: ${applied.join(", ")}`);
}

/** Loads the library and waits until FUNCTION LIST shows all of it; then the exactness of this Redis. */
export async function loadAndProve(values: Values, nowMs: () => number, say: Say): Promise<void> {
  const redis = connectRedis(values);
  const text = libraryText();
  say(`library: ${await putLibrary(redis, text, "upstash")}`);
  const endsAt = nowMs() + LIBRARY_MS;
  for (;;) {
    const complaints = await libraryComplaints(redis, text, "upstash");
    if (complaints.length === 0) break;
    if (nowMs() > endsAt) throw new Error(`the library is not as it should be: ${complaints.join("; ")}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const inexact = await exactnessComplaints(redis, nowMs());
  if (inexact.length > 0) throw new Error(`this Redis does not rank exactly: ${inexact.join("; ")}`);
  say("library: verified by FUNCTION LIST; scores are exact to the last bit");
}

/** Marks the stores as belonging together. Throws when this Redis is another deployment's, before anything is in it. */
export async function markStores(values: Values, say: Say): Promise<void> {
  const pool = new Pool({ connectionString: directUrl(values["DATABASE_URL"] ?? ""), max: 1 });
  pool.on("error", () => undefined);
  const redis = connectRedis(values);
  const command = async ([name, ...args]: readonly [string, ...string[]]) => redis.exec<unknown>([name, ...args]);
  const call = () => Promise.reject(new Error("marks need no function"));
  try {
    const found = await markTogether(createStoreMarks(tcpPostgres(pool), { call, read: call, command }));
    if (found === "foreign")
      throw new Error(
        "UPSTASH_REDIS_REST_URL is the Redis of another deployment than DATABASE_URL's. If it is meant to be this one's from " +
          "now on, empty it and run `npm run doctor -- --adopt --repair` with both",
      );
    say("stores: marked as belonging together");
  } finally {
    await pool.end();
  }
}

export async function deploy(env: DeployEnvironment, values: Values, say: Say): Promise<void> {
  await expand(values["DATABASE_URL"] ?? "", say);
  await markStores(values, say);
  await loadAndProve(values, Date.now, say);
  // The room first: an old Worker's pushes are understood by a new room, whose messages the page already knows.
  await publishRoom(env, values);
  await publishWorker(env, values);
  await smokeTest({ api: values["API_URL"] ?? "", serverKey: values["SERVER_KEY"] ?? "", say });
}
