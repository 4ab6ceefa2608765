import { NEON_LIMITS } from "../../functions/domain/platform-limits.ts";
import { Pool, type PoolClient, type QueryArrayConfig, type QueryArrayResult } from "pg";
import { z } from "zod";
import type { Client, LoopbackRequest, LoopbackService } from "../http/loopback-server.ts";
import type { Reply } from "../http/reply.ts";
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

const MAX_BYTES = NEON_LIMITS.bytes;
const POOL_SIZE = 20;
const CONNECT_TIMEOUT_MS = 3_000;
const IDLE_TIMEOUT_MS = 300_000;

/**
 * Statements that leave a session as it was, so that the ones of a rush need no reset, which costs as much as they do. A function
 * that changes the session without a word of it in the statement would not be noticed; ours do not.
 */
const PLAIN = /^\s*(?:select|with|insert|update|delete)\b/i;
const TELLING = /\b(?:set_config|temp|temporary|nextval|setval|dblink\w*)\b|advisory/i;
const changesSession = ({ query }: Statement): boolean => !PLAIN.test(query) || TELLING.test(query);

/** DISCARD ALL without its DISCARD PLANS, after which every function of ours would be planned anew. */
const RESET = [
  "CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ALL; DEALLOCATE ALL; UNLISTEN *;",
  "SELECT pg_advisory_unlock_all(); DISCARD TEMP; DISCARD SEQUENCES",
].join(" ");

class ResponseTooLarge extends Error {}
class ClientLeft extends Error {}

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
  // Statements that are to be cancelled may hold every connection of the pool.
  const cancelling = new Pool({ connectionString: databaseUrl, max: 2, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // An idle connection that breaks is replaced at the next checkout.
  pool.on("error", () => undefined);
  cancelling.on("error", () => undefined);

  async function handle(request: LoopbackRequest, stats: Stats): Promise<Reply> {
    try {
      if (request.path !== "/sql" || request.method !== "POST") throw new BadRequest("query is not supported");
      checkConnectionString(request.headers["neon-connection-string"], databaseUrl);
      const { statements, batch } = parsePayload(request.body);
      for (const { query } of statements) countOperation(stats, firstWord(query));
      const begin = batch ? beginStatement(request.headers) : undefined;
      const mode = outputMode(request.headers);
      const results = await withConnection(request.client, statements.some(changesSession), (client) =>
        execute(client, statements, { begin, mode }),
      );
      return { status: 200, body: batch ? `{"results":[${results.join(",")}]}` : (results[0] ?? "") };
    } catch (error) {
      return error instanceof ResponseTooLarge ? failure(507, { message: error.message }) : errorReply(error);
    }
  }

  /**
   * Lends a connection, and cancels what runs there when the client leaves. One that failed in any way is thrown away;
   * another one is made as new before another request gets it, after the answer.
   */
  async function withConnection<T>(
    caller: Client,
    reset: boolean,
    work: (client: PoolClient) => Promise<T>,
  ): Promise<T> {
    const client = await pool.connect();
    const state: { broken?: Error } = {};
    const onError = (error: Error): void => void (state.broken = error);
    const cancel = (): void => {
      state.broken = new ClientLeft();
      // Ends the connection too, which is not used again: a mere cancellation is lost when it comes between two statements.
      void cancelling.query("select pg_terminate_backend($1)", [backendOf(client)]).catch(() => undefined);
    };
    client.on("error", onError);
    caller.onLeft = cancel;
    try {
      // A client that left while waiting for a connection needs no answer.
      if (caller.left) throw new ClientLeft();
      return await work(client);
    } catch (error) {
      state.broken ??= error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      caller.onLeft = undefined;
      const giveBack = (broken?: Error): void => {
        client.off("error", onError);
        client.release(broken);
      };
      // A transaction that a request left open is taken back with its connection.
      if (client.getTransactionStatus() !== "I") state.broken ??= new Error("a transaction was left open");
      if (state.broken === undefined && reset) client.query(RESET).then(() => giveBack(state.broken), giveBack);
      else giveBack(state.broken);
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
): Promise<string[]> {
  if (begin === undefined) return runAll(client, statements, mode);
  await client.query(begin);
  // The connection of a batch that failed is closed, which takes the batch back.
  const results = await runAll(client, statements, mode);
  await client.query("COMMIT");
  return results;
}

/** The results as JSON, counted as they are sent. */
async function runAll(client: PoolClient, statements: readonly Statement[], mode: OutputMode): Promise<string[]> {
  const results: string[] = [];
  let bytes = 0;
  for (const statement of statements) {
    const result = JSON.stringify(await run(client, statement, mode));
    bytes += Buffer.byteLength(result);
    if (bytes > MAX_BYTES) throw new ResponseTooLarge(`response is larger than the maximum of ${MAX_BYTES} bytes`);
    results.push(result);
  }
  return results;
}

async function run(client: PoolClient, { query, params, arrayMode }: Statement, mode: OutputMode): Promise<object> {
  // Always the extended protocol, as at the vendor's: the simple one would let several statements through.
  const config: QueryArrayConfig & { queryMode: "extended" } = {
    text: query,
    values: params,
    rowMode: "array",
    queryMode: "extended",
  };
  const result: QueryArrayResult<TextRow> = await client.query(config);
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

/** The process that serves a connection; node-postgres learns it when it connects and does not type it. */
function backendOf(client: PoolClient): number {
  return z.object({ processID: z.int() }).parse(client).processID;
}
