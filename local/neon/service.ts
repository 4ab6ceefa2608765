import { Pool, type PoolClient, type QueryArrayConfig, type QueryArrayResult } from "pg";
import type { LoopbackRequest, LoopbackService, Reply } from "../http/loopback-server.ts";
import { countOperation, type Stats } from "../http/stats.ts";
import { errorReply, failure } from "./errors.ts";
import { type Cell, describeFields, toJsonValue } from "./fields.ts";
import {
  BadRequest,
  beginStatement,
  checkConnectionString,
  type OutputMode,
  outputMode,
  parsePayload,
  type Statement,
} from "./request.ts";

const MAX_BYTES = 10 * 1024 * 1024;
const POOL_SIZE = 20;
const CONNECT_TIMEOUT_MS = 3_000;
const IDLE_TIMEOUT_MS = 300_000;

class ResponseTooLarge extends Error {}

type TextRow = (string | null)[];

/** The SQL-over-HTTP protocol of Neon in front of a Postgres server. */
export function neonService({ databaseUrl }: { databaseUrl: string }): LoopbackService {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    types: { getTypeParser: () => (text: string) => text },
  });
  // An idle connection that breaks is replaced at the next checkout.
  pool.on("error", () => undefined);

  async function handle(request: LoopbackRequest, stats: Stats): Promise<Reply> {
    try {
      if (request.path !== "/sql" || request.method !== "POST") throw new BadRequest("query is not supported");
      checkConnectionString(request.headers["neon-connection-string"], databaseUrl);
      const { statements, batch } = parsePayload(request.body);
      for (const { query } of statements) countOperation(stats, firstWord(query));
      const begin = batch ? beginStatement(request.headers) : undefined;
      return await withConnection(async (client) => {
        const results = await execute(client, statements, { begin, mode: outputMode(request.headers) });
        return { status: 200, body: JSON.stringify(batch ? { results } : results[0]) };
      });
    } catch (error) {
      return error instanceof ResponseTooLarge ? failure(507, { message: error.message }) : errorReply(error);
    }
  }

  /** Lends a connection; one that failed in the middle of anything but a statement is not used again. */
  async function withConnection<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    const state: { broken?: Error } = {};
    const onError = (error: Error): void => void (state.broken = error);
    client.on("error", onError);
    try {
      return await work(client);
    } finally {
      client.off("error", onError);
      client.release(state.broken);
    }
  }

  return {
    maxBodyBytes: MAX_BYTES,
    bodyTooLarge: () => failure(413, { message: `request is larger than the maximum of ${MAX_BYTES} bytes` }),
    failure: (status) => failure(status, { message: "injected failure" }),
    handle,
  };
}

async function execute(
  client: PoolClient,
  statements: readonly Statement[],
  { begin, mode }: { begin: string | undefined; mode: OutputMode },
): Promise<object[]> {
  const budget = { bytes: MAX_BYTES };
  if (begin === undefined) return runAll(client, statements, mode, budget);
  await client.query(begin);
  try {
    const results = await runAll(client, statements, mode, budget);
    await client.query("COMMIT");
    return results;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

async function runAll(
  client: PoolClient,
  statements: readonly Statement[],
  mode: OutputMode,
  budget: { bytes: number },
): Promise<object[]> {
  const results: object[] = [];
  for (const statement of statements) results.push(await run(client, statement, mode, budget));
  return results;
}

async function run(
  client: PoolClient,
  { query, params, arrayMode }: Statement,
  mode: OutputMode,
  budget: { bytes: number },
): Promise<object> {
  // Always the extended protocol, as at the vendor's: the simple one would let several statements through.
  const config: QueryArrayConfig & { queryMode: "extended" } = {
    text: query,
    values: params,
    rowMode: "array",
    queryMode: "extended",
  };
  const result: QueryArrayResult<TextRow> = await client.query(config);
  for (const row of result.rows) for (const cell of row) budget.bytes -= cell?.length ?? 4;
  if (budget.bytes < 0) throw new ResponseTooLarge(`response is larger than the maximum of ${MAX_BYTES} bytes`);
  const rowAsArray = arrayMode ?? mode.arrayMode;
  const oids = result.fields.map((field) => field.dataTypeID);
  const rows = result.rows.map((row) =>
    mode.rawText ? row : row.map((cell, index): Cell => toJsonValue(cell, oids[index] ?? 0)),
  );
  return {
    fields: describeFields(result.fields),
    rows: rowAsArray
      ? rows
      : rows.map((row) => Object.fromEntries(result.fields.map((field, index) => [field.name, row[index]]))),
    command: result.command,
    rowCount: result.rowCount,
    rowAsArray,
  };
}

function firstWord(query: string): string {
  return /[a-z]+/i.exec(query)?.[0].toLowerCase() ?? "";
}
