/** A real `partykit dev` of a test's own, and the API that its rooms ask, whose answers the test decides. */
import { createServer } from "node:http";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TopMessage } from "../../functions/contract/live.ts";
import { PROBLEM_TYPE_PREFIX } from "../../functions/contract/problem.ts";
import { partyComponent } from "../../local/components/party.ts";
import { freePort } from "../../local/ports.ts";
import { Component } from "../../local/process/component.ts";

export const SECRET = "push-secret-of-the-room-tests-0001";
export const PREVIOUS_SECRET = "push-secret-of-the-room-tests-0000";

export type Rooms = {
  readonly url: string;
  readonly api: ApiDouble;
  /** Whether anything is stored of the room. */
  readonly stores: (room: string) => Promise<boolean>;
  /** Ends every process of partykit and starts it again on the same port and storage. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export async function startRooms(): Promise<Rooms> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "edgeboard-rooms-"));
  const api = await startApi();
  const port = await freePort();
  const variables = { PUSH_SECRET: SECRET, PUSH_SECRET_PREVIOUS: PREVIOUS_SECRET, API_URL: api.url };
  const start = async (): Promise<Component> => {
    const spec = partyComponent({ port, dataDir, logFile: path.join(dataDir, "party.log"), variables });
    const component = new Component(spec, { say: () => undefined, started: () => undefined });
    await component.start();
    return component;
  };
  let component = await start();
  return {
    url: `http://127.0.0.1:${port}`,
    api,
    async stores(room) {
      const files = await readdir(path.join(dataDir, "party"), { recursive: true, withFileTypes: true });
      const contents = files.flatMap((file) =>
        file.isFile() ? [readFile(path.join(file.parentPath, file.name))] : [],
      );
      return (await Promise.all(contents)).some((content) => content.includes(room));
    },
    restart: async () => {
      await component.stop();
      component = await start();
    },
    stop: async () => {
      await component.stop();
      await api.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

type ApiDouble = {
  readonly url: string;
  /** Boards by game; a game without one cannot be read at the moment, `not-ours`: something in between says 404. */
  readonly boards: Map<string, TopMessage | "unknown-game" | "not-ours">;
  /** The credentials of the last question about each game. */
  readonly credentials: Map<string, string | undefined>;
  /** How often each game's board was asked for. */
  readonly questions: Map<string, number>;
  readonly stop: () => Promise<void>;
};

async function startApi(): Promise<ApiDouble> {
  const boards: ApiDouble["boards"] = new Map();
  const questions = new Map<string, number>();
  const credentials = new Map<string, string | undefined>();
  const server = createServer((request, response) => {
    const game = /^\/v1\/games\/([^/]+)\/boards\/[^/]+\/top\?n=10$/.exec(request.url ?? "")?.[1] ?? "";
    questions.set(game, (questions.get(game) ?? 0) + 1);
    credentials.set(game, request.headers.authorization);
    const board = boards.get(game);
    if (board === undefined) return void response.writeHead(503).end();
    if (board === "not-ours") return void response.writeHead(404).end("<h1>404 Not Found</h1>");
    if (board === "unknown-game") {
      const problem = { type: `${PROBLEM_TYPE_PREFIX}unknown-game`, status: 404 };
      return void response.writeHead(404, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
    }
    const { week, version, boardSize, entries } = board;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ board: week, country: null, boardSize, version, entries, next: null }));
    return undefined;
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const stop = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${port}`, boards, questions, credentials, stop };
}

/** Pushes to a room the way the Worker does. */
export function push(
  rooms: Rooms,
  room: string,
  body: unknown,
  authorization: string | null = `Bearer ${SECRET}`,
): Promise<Response> {
  return fetch(`${rooms.url}/parties/main/${room}`, {
    method: "POST",
    headers: authorization === null ? {} : { authorization },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}
