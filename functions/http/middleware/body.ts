/**
 * Reads the body of a request whose caller is known: not longer than the limit, to its end, and UTF-8. Read as text, bytes that
 * are not would all become U+FFFD, and players whose ids differ in them one player. What was read stays in Hono's cache, from
 * which handlers get the text and signatures the bytes.
 */
import type { HonoRequest } from "hono";
import { createMiddleware } from "hono/factory";
import { DomainError } from "../../domain/errors.ts";
import type { HonoEnv } from "../context.ts";

/** 1,000 submissions with the longest ids and keys stay below this. */
export const MAX_BODY_BYTES = 1024 * 1024;

const MOST_DISCARDED_BYTES = 16 * MAX_BODY_BYTES;

const UTF8 = new TextDecoder("utf-8", { fatal: true });

const tooLarge = () =>
  new DomainError("too-large", `The request body is larger than ${MAX_BODY_BYTES.toLocaleString("en")} bytes.`);

/** Reads on for a while: a client that is cut off while it sends does not see the answer. */
async function discard(body: ReadableStream<Uint8Array>): Promise<void> {
  let left = MOST_DISCARDED_BYTES;
  try {
    for await (const chunk of body) if ((left -= chunk.length) < 0) return;
  } catch {
    // It has left.
  }
}

/** A body of unknown length: counted while it comes. */
async function counted(body: ReadableStream<Uint8Array>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(new Uint8Array(chunk));
  }
  return new Blob(chunks);
}

async function bytesOf(request: HonoRequest): Promise<ArrayBuffer> {
  const { raw } = request;
  const length = raw.headers.has("transfer-encoding") ? null : raw.headers.get("content-length");
  if (Number(length) > MAX_BODY_BYTES) {
    if (raw.body) await discard(raw.body);
    throw tooLarge();
  }
  try {
    if (length === null && raw.body)
      request.raw = new Request(raw, { method: raw.method, body: await counted(raw.body) });
    return await request.arrayBuffer();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    // Only the client, or the network in between, can end a body early.
    throw new DomainError("unreadable", "The request body broke off before its end.", { cause: error });
  }
}

/** Without empty parameters, and without spaces before a semicolon: right by RFC 9110 (5.6.6), and more than the check of the routes reads. */
function usual(type: string): string {
  const [first = "", ...parameters] = type.split(";").map((part) => part.trimEnd());
  return [first, ...parameters.filter((part) => part !== "")].join(";");
}

function tidyContentType(request: HonoRequest): void {
  const { raw } = request;
  const type = raw.headers.get("content-type");
  if (type === null || usual(type) === type) return;
  const headers = new Headers(raw.headers);
  headers.set("content-type", usual(type));
  request.raw = new Request(raw, { headers });
}

export const readBody = createMiddleware<HonoEnv>(async (c, next) => {
  const encoding = c.req.header("content-encoding");
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw new DomainError("unsupported-media-type", "Send the body as it is, without a Content-Encoding.");
  }
  tidyContentType(c.req);
  const bytes = await bytesOf(c.req);
  try {
    UTF8.decode(bytes);
  } catch {
    throw new DomainError("unreadable", "The request body is not valid UTF-8.");
  }
  await next();
});
