/** One call to the API: deadline, and retries where a retry can do no harm. */
import { invalidProblem, isObject, ProblemError, problemErrorOf } from "./problem-error.ts";

export type Call = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path's segments, as they are. */
  readonly path: readonly string[];
  /** A field that every answer of this call has, by which it is known; a call without one is answered by a 204. */
  readonly field?: string;
  readonly query?: Readonly<Record<string, string | number | null | undefined>> | null | undefined;
  readonly body?: Readonly<Record<string, unknown>>;
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

/** Sends the call and gives its JSON, or undefined for 204. Throws ProblemError, or what `fetch` threw. */
export async function send(transport: Transport, call: Call): Promise<unknown> {
  const deadlineMs = performance.now() + DEADLINE_MS;
  const url = urlOf(transport, call);
  const request: RequestInit = {
    method: call.method,
    headers: headersOf(transport, call),
    ...(call.body === undefined ? {} : { body: JSON.stringify(given(call.body)) }),
  };
  // Reads, and writes whose key makes the service apply them once.
  const repeatable = call.method === "GET" || call.idempotencyKey !== undefined;
  const attempts = repeatable && !call.once ? ATTEMPTS : 1;
  for (let attempt = 1; ; attempt++) {
    const timeoutMs = Math.max(1, Math.min(ATTEMPT_MS, deadlineMs - performance.now()));
    const outcome = await tryOnce(
      () => transport.fetch(url, { ...request, signal: AbortSignal.timeout(timeoutMs) }),
      call,
    );
    if (outcome.type === "answer") return outcome.json;
    const { error } = outcome;
    const problem = error instanceof ProblemError ? error : undefined;
    const leastMs = (problem?.retryAfterSeconds ?? 0) * 1_000;
    const waitMs = leastMs + Math.random() * BACKOFF_MS * 2 ** attempt;
    if (problem?.final || attempt >= attempts || performance.now() + waitMs >= deadlineMs) throw error;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

type Outcome =
  | { readonly type: "answer"; readonly json: unknown }
  | { readonly type: "failure"; readonly error: unknown };

async function tryOnce(fetchOnce: () => Promise<Response>, { field }: Call): Promise<Outcome> {
  try {
    const response = await fetchOnce();
    const body = parse(await response.text());
    if (!response.ok) return { type: "failure", error: problemErrorOf(response, body) };
    if (field === undefined ? response.status === 204 : isObject(body) && field in body) {
      return { type: "answer", json: body };
    }
    const detail = "This is not an answer of this service; something between here and there may have sent it.";
    return { type: "failure", error: new ProblemError({ status: response.status, detail }) };
  } catch (error) {
    return { type: "failure", error };
  }
}

/** The JSON of a body; undefined for anything else, such as the HTML of a proxy. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fields that have a value: an optional one may come as undefined or null. */
export function given<T>(fields: Readonly<Record<string, T | null | undefined>>): Record<string, T> {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, T][] =>
    value === undefined || value === null ? [] : [[name, value]],
  );
  return Object.fromEntries(entries);
}

function urlOf({ baseUrl }: Transport, { path, query }: Call): string {
  const values = Object.entries(given(query ?? {})).map(([name, value]) => [name, String(value)]);
  const search = new URLSearchParams(values).toString();
  return `${baseUrl}/${path.map(encoded).join("/")}${search === "" ? "" : `?${search}`}`;
}

/** A segment of a path. The service refuses the ids that this cannot send. */
function encoded(segment: string): string {
  // As a segment it would lead to another route.
  if (segment === "." || segment === "..") throw invalidProblem('"." and ".." are no ids.');
  try {
    return encodeURIComponent(segment);
  } catch {
    throw invalidProblem("An id is not well-formed text.");
  }
}

function headersOf({ token }: Transport, { body, idempotencyKey }: Call): Headers {
  return new Headers({
    accept: "application/json",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
  });
}
