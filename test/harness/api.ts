/** A thin caller of the HTTP API for tests: no retries, no parsing beyond JSON. */
import { randomBytes } from "node:crypto";
import { stack } from "./stack.ts";

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

export type CallOptions = {
  readonly method?: string;
  readonly body?: unknown;
  /** Sent as is, instead of `body`. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>;
  /** Bearer token; null sends none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Calls `path` of the API and parses a JSON answer; other bodies come back as text. */
export async function call(path: string, options: CallOptions = {}): Promise<Answer> {
  const { api, serverKey } = stack();
  const headers = new Headers(options.headers);
  const key = options.key === undefined ? serverKey : options.key;
  if (key !== null && !headers.has("authorization")) headers.set("authorization", `Bearer ${key}`);
  const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  if (body !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
  const response = await fetch(api + path, {
    method: options.method ?? (body === undefined ? "GET" : "POST"),
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  return { status: response.status, headers: response.headers, body: isJson && text !== "" ? JSON.parse(text) : text };
}

/** An id for a game that no other test uses. */
export function freshGameId(): string {
  return `t-${randomBytes(8).toString("hex")}`;
}

/** Creates a game of this test's own and returns its id. */
export async function freshGame(config: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const game = freshGameId();
  const { status } = await call(`/v1/games/${game}`, { method: "PUT", body: config });
  if (status !== 201) throw new Error(`game not created: ${status}`);
  return game;
}
