/** The vendors' endpoints and a room inside the test process, so that a test file counts and disturbs only its own. */
import { createServer, type Server } from "node:http";
import { z } from "zod";
import { RoomPush, type TopMessage } from "../../functions/contract/live.ts";
import type { FaultRule } from "../../local/http/faults.ts";
import { createLoopbackServer, type LoopbackService } from "../../local/http/loopback-server.ts";
import { freePort } from "../../local/ports.ts";

const Stats = z.object({ requests: z.int(), operations: z.int(), byName: z.record(z.string(), z.int()) });
export type Stats = z.infer<typeof Stats>;

export type Endpoint = {
  readonly url: string;
  /** Requests and operations since the last `reset`. */
  stats(): Promise<Stats>;
  reset(): Promise<void>;
  faults(rules: readonly FaultRule[]): Promise<void>;
  stop(): Promise<void>;
};

async function listen(server: Server): Promise<string> {
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen({ port, host: "127.0.0.1" }, resolve));
  return `http://127.0.0.1:${port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

export async function startEndpoint(service: LoopbackService): Promise<Endpoint> {
  const server = createLoopbackServer(service);
  const url = await listen(server);
  const control = async (path: string, init: RequestInit) => (await fetch(url + path, init)).json();
  return {
    url,
    stats: async () => Stats.parse(await control("/__stats", {})),
    reset: async () => void (await control("/__stats", { method: "DELETE" })),
    faults: async (rules) => void (await control("/__faults", { method: "POST", body: JSON.stringify(rules) })),
    stop: () => close(server),
  };
}

export type Announcement = { readonly room: string; readonly player: string; readonly badge: string };

/** Takes pushes as a room does, and keeps the badges and boards in them. */
export async function startRoom() {
  const announced: Announcement[] = [];
  const pushedTo: string[] = [];
  const checked: string[] = [];
  const tops = new Map<string, TopMessage>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const push = RoomPush.parse(JSON.parse(Buffer.concat(parts).toString("utf8")));
      const room = request.url?.split("/").at(-1) ?? "";
      if (push.type === "top") {
        pushedTo.push(room);
        tops.set(room, push);
      } else if (push.type === "check") {
        checked.push(room);
      } else for (const badge of push.badges) announced.push({ room, ...badge });
      response.writeHead(200).end("{}");
    });
  });
  return { url: await listen(server), announced, pushedTo, checked, tops, stop: () => close(server) };
}
