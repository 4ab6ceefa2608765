import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";

/** A request that cannot be executed; answered with 400 and this message. */
export class BadRequest extends Error {
  readonly code: string | undefined;
  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

const statement = z.object({
  query: z.string(),
  params: z.array(z.unknown()).default([]),
  arrayMode: z.boolean().optional(),
});
const batch = z.object({ queries: z.array(statement) });

/** One SQL statement with its parameters. */
export type Statement = z.output<typeof statement>;

/** How values and rows are to be written. */
export interface OutputMode {
  readonly rawText: boolean;
  readonly arrayMode: boolean;
}

const ISOLATION: Readonly<Record<string, string>> = {
  ReadUncommitted: "READ UNCOMMITTED",
  ReadCommitted: "READ COMMITTED",
  RepeatableRead: "REPEATABLE READ",
  Serializable: "SERIALIZABLE",
};

/** Parses a body whatever its content type says: the driver sends none for JSON. */
export function parsePayload(body: string): { statements: Statement[]; batch: boolean } {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new BadRequest("could not parse the HTTP request body: it is not JSON");
  }
  const single = statement.safeParse(json);
  if (single.success) return { statements: [single.data], batch: false };
  const several = batch.safeParse(json);
  if (several.success) return { statements: several.data.queries, batch: true };
  throw new BadRequest("could not parse the HTTP request body: query or queries expected");
}

/** The output mode that the headers ask for. */
export function outputMode(headers: IncomingHttpHeaders): OutputMode {
  return { rawText: headers["neon-raw-text-output"] === "true", arrayMode: headers["neon-array-mode"] === "true" };
}

/** The BEGIN of a batch with the isolation that the headers ask for. */
export function beginStatement(headers: IncomingHttpHeaders): string {
  const level = headers["neon-batch-isolation-level"];
  const isolation = typeof level === "string" ? ISOLATION[level] : undefined;
  if (level !== undefined && isolation === undefined) throw new BadRequest("invalid isolation level");
  return [
    "BEGIN",
    isolation === undefined ? [] : `ISOLATION LEVEL ${isolation}`,
    headers["neon-batch-read-only"] === "true" ? "READ ONLY" : [],
    headers["neon-batch-deferrable"] === "true" ? "DEFERRABLE" : [],
  ]
    .flat()
    .join(" ");
}

/** What was accepted last: all requests of a Worker bring the same, and parsing addresses takes long. */
const lastAccepted = { header: "", databaseUrl: "" };

/** Checks who asks whom for what: host, user, password and database must be those of the server; options may differ. */
export function checkConnectionString(header: string | string[] | undefined, databaseUrl: string): void {
  if (header === lastAccepted.header && databaseUrl === lastAccepted.databaseUrl) return;
  if (typeof header !== "string")
    throw new BadRequest("invalid connection string: missing `Neon-Connection-String` header");
  const given = URL.parse(header);
  const expected = new URL(databaseUrl);
  if (given === null) throw new BadRequest("invalid connection string: parsing error");
  if (given.protocol !== "postgres:" && given.protocol !== "postgresql:")
    throw new BadRequest(`invalid connection string: unexpected scheme ${given.protocol.slice(0, -1)}`);
  if (given.host !== expected.host) throw new BadRequest("invalid connection string: mismatched host");
  if (given.username !== expected.username || given.password !== expected.password) {
    throw new BadRequest(`password authentication failed for user '${decodeURIComponent(given.username)}'`, "28P01");
  }
  if (given.pathname !== expected.pathname)
    throw new BadRequest(`database "${given.pathname.slice(1)}" does not exist`, "3D000");
  [lastAccepted.header, lastAccepted.databaseUrl] = [header, databaseUrl];
}
