/** One call to the API: deadline, and retries where a retry can do no harm. */
import { ProblemError } from "./problem-error.ts";

export type Call = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /** The caller has its own way of trying again. */
  readonly once?: true;
};

export type Transport = {
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly fetch: typeof fetch;
};

/** The whole call, retries included. */
const DEADLINE_MS = 15_000;
const ATTEMPT_MS = 6_000;
const ATTEMPTS = 4;
const BACKOFF_MS = 250;
const RETRYABLE = new Set([429, 502, 503, 504]);

/** Sends the call and gives its JSON, or undefined for 204. Throws ProblemError, or what `fetch` threw. */
export async function send(transport: Transport, call: Call): Promise<unknown> {
  const deadlineMs = Date.now() + DEADLINE_MS;
  // Reads, and writes whose key makes the service apply them once.
  const repeatable = call.method === "GET" || call.idempotencyKey !== undefined;
  const attempts = repeatable && !call.once ? ATTEMPTS : 1;
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce(transport, call, deadlineMs);
    if (outcome.type === "answer") return outcome.json;
    const waitMs = Math.max(outcome.waitMs, Math.random() * BACKOFF_MS * 2 ** attempt);
    if (!outcome.retryable || attempt >= attempts || Date.now() + waitMs >= deadlineMs) throw outcome.error;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

type Outcome =
  | { readonly type: "answer"; readonly json: unknown }
  | { readonly type: "failure"; readonly error: unknown; readonly retryable: boolean; readonly waitMs: number };

async function tryOnce(transport: Transport, call: Call, deadlineMs: number): Promise<Outcome> {
  try {
    const timeoutMs = Math.max(1, Math.min(ATTEMPT_MS, deadlineMs - Date.now()));
    const response = await transport.fetch(urlOf(transport, call), {
      method: call.method,
      headers: headersOf(transport, call),
      signal: AbortSignal.timeout(timeoutMs),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    if (response.ok) return { type: "answer", json: response.status === 204 ? undefined : await response.json() };
    const error = await ProblemError.from(response);
    return {
      type: "failure",
      error,
      retryable: RETRYABLE.has(error.status),
      waitMs: (error.retryAfterSeconds ?? 0) * 1_000,
    };
  } catch (error) {
    return { type: "failure", error, retryable: true, waitMs: 0 };
  }
}

function urlOf({ baseUrl }: Transport, { path, query = {} }: Call): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `${baseUrl}${path}${search === "" ? "" : `?${search}`}`;
}

function headersOf({ token }: Transport, { body, idempotencyKey }: Call): Record<string, string> {
  return {
    accept: "application/json",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
  };
}
