/** HTTP of a room: who may push, how a push is read, and what it is answered. */
import { PROBLEM_TYPE_PREFIX, PROBLEMS } from "../functions/contract/problem.ts";
import type { ProblemCode } from "../functions/contract/problem.ts";
import { MAX_PUSH_BYTES, RoomPush } from "../functions/contract/live.ts";
import type { RoomId } from "./room-id.ts";

const METHODS = "POST, OPTIONS";

/** A problem+json answer (RFC 9457). */
export function problem(code: ProblemCode, detail: string, headers: Record<string, string> = {}): Response {
  const { status, title } = PROBLEMS[code];
  const body = JSON.stringify({ type: PROBLEM_TYPE_PREFIX + code, title, status, detail });
  return new Response(body, { status, headers: { "content-type": "application/problem+json", ...headers } });
}

/** The answer for every method that is no push, or undefined for a push. */
export function answerWithoutPush(method: string): Response | undefined {
  if (method === "POST") return undefined;
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow: METHODS } });
  return problem("method-not-allowed", "A room takes WebSocket connections, and pushes by POST.", { allow: METHODS });
}

/** The push in a request body, or the problem with it. */
export async function readPush(request: { body: unknown }, room: RoomId): Promise<RoomPush | Response> {
  const text = await readText(asStream(request.body));
  if (text === undefined) return problem("too-large", `A push has at most ${MAX_PUSH_BYTES} bytes.`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return problem("unreadable", "The body is not JSON.");
  }
  const parsed = RoomPush.safeParse(json);
  if (!parsed.success) return problem("invalid", "The body is not a push.");
  const push = parsed.data;
  if (push.type === "top" && (push.game !== room.game || push.week !== room.week)) {
    return problem("invalid", "The push is for another room.");
  }
  return push;
}

/** The text of a body, or undefined as soon as it is longer than a push may be, whatever Content-Length said. */
async function readText(body: ReadableStream<Uint8Array> | null): Promise<string | undefined> {
  if (!body) return "";
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_PUSH_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** A request body is a stream of bytes or null; PartyKit's own types for it do not match the DOM's. */
function asStream(body: unknown): ReadableStream<Uint8Array> | null {
  return body as ReadableStream<Uint8Array> | null;
}
