/** A server that is not ours, on loopback: it answers what a proxy, a portal or a failing edge would. */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";

export type Call = { readonly method: string; readonly path: string; readonly key: string | undefined };
type Play = (response: ServerResponse, request: IncomingMessage, body: Buffer) => Promise<void> | void;

/** The answer with this status and body, as it is. */
export function plays(status: number, body = "", headers: Readonly<Record<string, string>> = {}): Play {
  return (response) => void response.writeHead(status, headers).end(body);
}

/** The answer stops in the middle of its body. */
export const breaksOff: Play = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
  response.write('{"submissionId":', () => response.destroy());
};

/** The connection ends without an answer. */
export const hangsUp: Play = (response) => void response.destroy();

/** What the API at `api` answers; `instead` then takes the place of that answer, which is lost on its way. */
export function forwards(api: string, instead?: Play): Play {
  return async (response, request, body) => {
    const { authorization, "idempotency-key": key } = request.headers;
    const answer = await fetch(api + (request.url ?? ""), {
      method: request.method ?? "GET",
      headers: {
        "content-type": "application/json",
        ...(authorization === undefined ? {} : { authorization }),
        ...(typeof key === "string" ? { "idempotency-key": key } : {}),
      },
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    });
    const text = await answer.text();
    if (instead) return instead(response, request, body);
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" }).end(text);
    return undefined;
  };
}

export type ForeignServer = {
  readonly url: string;
  /** What was asked so far, in order. */
  readonly calls: Call[];
  /** The answers to come, one a call; the last one is repeated. */
  readonly play: (...next: Play[]) => void;
  readonly close: () => Promise<void>;
};

/** Starts the server on a free port. */
export async function startForeignServer(): Promise<ForeignServer> {
  const calls: Call[] = [];
  let plan: Play[] = [plays(503)];
  const server = createServer((request, response) => {
    const key = request.headers["idempotency-key"];
    calls.push({
      method: request.method ?? "",
      path: request.url ?? "",
      key: typeof key === "string" ? key : undefined,
    });
    const next = plan.length > 1 ? plan.shift() : plan[0];
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => void next?.(response, request, Buffer.concat(chunks)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    play: (...next) => {
      calls.length = 0;
      plan = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
