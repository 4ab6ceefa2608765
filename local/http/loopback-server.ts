import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { answerControl } from "./control.ts";
import { readBody } from "./body.ts";
import { type Fault, FaultBox } from "./faults.ts";
import type { Reply } from "./reply.ts";
import { emptyStats, type Stats } from "./stats.ts";

/** A request whose body has been read. */
export interface LoopbackRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly client: Client;
}

/** Who waits for the answer. */
export interface Client {
  /** Whether the client left while the request was handled, and what is to be done at that moment. */
  left: boolean;
  onLeft: (() => void) | undefined;
}

/** An answer that stays open and is written by the handler. */
export interface StreamReply {
  readonly stream: (response: ServerResponse) => void;
}

/** What an endpoint has to say about itself. */
export interface LoopbackService {
  readonly maxBodyBytes: number;
  readonly bodyTooLarge: () => Reply;
  /** The answer to a fault with an HTTP status, in the vendor's shape. */
  readonly failure: (status: number) => Reply;
  readonly handle: (request: LoopbackRequest, stats: Stats) => Promise<Reply | StreamReply>;
}

// Longer than any client keeps an idle connection, so that the server never closes under a request.
const KEEP_ALIVE_MS = 75_000;

const FOREIGN = '{"result":"OK"}';
const BAD_GATEWAY = "<html><body><h1>502 Bad Gateway</h1></body></html>";

/** Serves one vendor protocol on loopback, with fault injection and counters. */
export function createLoopbackServer(service: LoopbackService): Server {
  const faults = new FaultBox();
  const state = { stats: emptyStats() };
  const server = createServer({ noDelay: true, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!response.headersSent) send(response, { status: 500, body: JSON.stringify({ error: String(error) }) });
      else response.destroy();
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readBody(request, service.maxBodyBytes).catch(() => null);
    if (raw === null) return void response.destroy();
    const path = request.url ?? "/";
    const method = request.method ?? "GET";
    const body = raw?.toString("utf8") ?? "";
    if (path.startsWith("/__")) return void send(response, answerControl({ method, path, body, faults, state }));
    state.stats.requests += 1;
    state.stats.bytesIn += raw?.length ?? 0;
    if (raw === undefined) return void reply(response, service.bodyTooLarge());
    const fault = faults.take(body);
    if (fault !== undefined && (await faultBefore(fault, response))) return;
    const client: Client = { left: false, onLeft: undefined };
    // Closed once it is answered too, when the client is gone. Who left before, in a delay, left a request on its way.
    response.once("close", () => {
      client.left = true;
      client.onLeft?.();
    });
    const answer = await service.handle({ method, path, headers: request.headers, body, client }, state.stats);
    if ("stream" in answer) return answer.stream(response);
    reply(response, fault === undefined ? answer : await faultAfter(fault, answer, response));
  }

  /** Plays the faults that come before executing; true when the request ends here. */
  async function faultBefore(fault: Fault, response: ServerResponse): Promise<boolean> {
    switch (fault.action) {
      case "drop-before":
        response.destroy();
        return true;
      case "status":
        reply(response, service.failure(fault.status));
        return true;
      case "html":
        reply(response, { status: 502, body: BAD_GATEWAY, headers: { "content-type": "text/html" } });
        return true;
      case "foreign":
        reply(response, { status: 200, body: FOREIGN });
        return true;
      case "delay":
        // Executed in any case: a client that gave up waiting does not undo what it sent.
        await sleep(fault.delayMs);
        return false;
      default:
        return false;
    }
  }

  /** Plays the faults that come after executing. */
  async function faultAfter(fault: Fault, answer: Reply, response: ServerResponse): Promise<Reply> {
    if (fault.action === "delay-after") await sleep(fault.delayMs);
    if (fault.action === "drop-after") response.destroy();
    return fault.action === "truncate"
      ? { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) }
      : answer;
  }

  function reply(response: ServerResponse, answer: Reply): void {
    if (response.destroyed) return;
    state.stats.bytesOut += send(response, answer);
  }

  return server;
}

function send(response: ServerResponse, { status, body, headers }: Reply): number {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": length, ...headers });
  response.end(body);
  return length;
}
