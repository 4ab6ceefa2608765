import { DatabaseError } from "pg";
import type { Reply } from "../http/reply.ts";
import { BadRequest } from "./request.ts";

const FIELDS = [
  "code",
  "detail",
  "hint",
  "position",
  "internalPosition",
  "internalQuery",
  "severity",
  "where",
  "table",
  "column",
  "schema",
  "dataType",
  "constraint",
  "file",
  "line",
  "routine",
] as const;

/** The answer to anything thrown while a request was executed. */
export function errorReply(error: unknown): Reply {
  if (error instanceof BadRequest)
    return failure(400, { message: error.message, ...(error.code === undefined ? {} : { code: error.code }) });
  if (error instanceof DatabaseError && !endsConnection(error)) {
    return failure(400, {
      message: error.message,
      ...Object.fromEntries(FIELDS.map((field) => [field, error[field] ?? null])),
    });
  }
  return failure(500, { message: "could not connect to the database" });
}

/** An error body in the vendor's shape. */
export function failure(status: number, body: { message: string; [field: string]: unknown }): Reply {
  return { status, body: JSON.stringify(body) };
}

/** Postgres is going away or coming up: no verdict about the statement. */
function endsConnection(error: DatabaseError): boolean {
  return error.severity === "FATAL" || error.severity === "PANIC";
}
