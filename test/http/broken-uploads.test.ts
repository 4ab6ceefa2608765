import { readFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { createApp } from "../../functions/app.ts";
import { createDeps } from "../../functions/deps.ts";
import { parseEnv } from "../../functions/env.ts";
import { libraryText } from "../../lua/library.ts";
import { DUMMY_VALUES } from "../deploy/dummy-values.ts";
import { call } from "../harness/api.ts";
import { newGame, problemOf } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { stack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";

const stores = openStores();

/** Every route that takes a body. */
const ROUTES = [
  ["POST", "/scores"],
  ["POST", "/scores/batch"],
  ["PUT", ""],
] as const;

/** What is sent of a body whose rest never comes. */
const zipped = gzipSync('{"player":"ada","points":1}').subarray(0, 20).toString("latin1");
const UPLOADS: Readonly<Record<string, readonly [headers: Readonly<Record<string, string>>, body: string]>> = {
  "a length that is not reached": [{ "content-length": "500" }, '{"play'],
  "a length without any byte": [{ "content-length": "500" }, ""],
  "half a chunk": [{ "transfer-encoding": "chunked" }, '1f4\r\n{"play'],
  "chunks without an end": [{ "transfer-encoding": "chunked" }, '6\r\n{"play\r\n'],
  "half of a gzip": [{ "content-length": "500", "content-encoding": "gzip" }, zipped],
};

/** The Worker without a platform around it: what is refused here reaches no store. */
const env = parseEnv({ ...DUMMY_VALUES, SERVER_KEY: "a-server-key-of-this-test" });
const app = createApp(
  (_bindings, background) => createDeps(env, libraryText(), background),
  () => ({ run: () => undefined, keep: () => undefined }),
);

/** A request whose body ends as `rest` says: never, or with the error that a platform gives when the client has left. */
function request(method: string, route: string, headers: Readonly<Record<string, string>>, rest: "never" | "error") {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (rest === "error") controller.error(new Error("Network connection lost."));
    },
  });
  const init = { method, body, duplex: "half", headers: { "content-type": "application/json", ...headers } };
  return new Request(`http://localhost/v1/games/arena${route}`, init);
}

/** Levels of what is logged while `work` runs. */
async function levelsOf(work: () => Promise<void>): Promise<string[]> {
  const levels = ["info", "warn", "error"] as const;
  const spies = levels.map((level) => vi.spyOn(console, level).mockImplementation(() => undefined));
  try {
    await work();
    return levels.filter((_, i) => (spies[i]?.mock.calls.length ?? 0) > 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

describe("an upload that breaks off", () => {
  for (const [name, [headers]] of Object.entries(UPLOADS)) {
    it(`after ${name} is the client's mistake: a 4xx at level info`, async () => {
      const levels = await levelsOf(async () => {
        for (const [method, route] of ROUTES) {
          const authorization = `Bearer ${env.SERVER_KEY}`;
          const answer = await app.fetch(request(method, route, { ...headers, authorization }, "error"));
          expect([400, 415], `${method} ${route}`).toContain(answer.status);
        }
      });
      expect(levels).toEqual(["info"]);
    });

    it(`after ${name} is not waited for when nobody with credentials sends it`, async () => {
      const levels = await levelsOf(async () => {
        for (const [method, route] of ROUTES) {
          for (const rest of ["never", "error"] as const) {
            const answer = await app.fetch(request(method, route, headers, rest));
            expect(answer.status, `${method} ${route}`).toBe(401);
          }
        }
      });
      expect(levels).toEqual(["info"]);
    });

    it(`after ${name} is no error in the Worker's log and leaves nothing behind`, async () => {
      const game = await newGame();
      for (const key of [stack().serverKey, undefined]) {
        for (const [method, route] of ROUTES) await leaveEarly(method, game.base + route, key, name);
      }
      const lines = await until("refusals in the log", () => {
        const found = logged(game.id);
        return found.some(({ status }) => status >= 400) && found;
      });
      // The runtime stops some of these before the Worker sees them.
      expect(lines.filter(({ level, status }) => level !== "info" || status >= 500)).toEqual([]);
      expect(await stores.rows(game.id)).toBe(0);
    });
  }
});

/** Sends what there is over a socket of its own and half-closes it; waits for whatever answer. */
async function leaveEarly(method: string, target: string, key: string | undefined, name: string): Promise<void> {
  const { hostname, port } = new URL(stack().api);
  const [headers = {}, body = ""] = UPLOADS[name] ?? [];
  const fields = Object.entries({
    host: `${hostname}:${port}`,
    "content-type": "application/json",
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...headers,
  }).map(([field, value]) => `${field}: ${value}`);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  await new Promise((resolve, reject) => {
    socket.once("data", resolve);
    socket.once("end", resolve);
    socket.once("error", reject);
    socket.end(`${[`${method} ${target} HTTP/1.1`, ...fields].join("\r\n")}\r\n\r\n${body}`, "latin1");
  });
  socket.destroy();
}

/** What the Worker logged of a game's requests. */
function logged(game: string): { level: string; status: number }[] {
  return readFileSync(path.join(stack().dataDir, "logs", "worker.log"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("{") && line.includes(game))
    .map((line) => JSON.parse(line));
}

describe("a whole upload", () => {
  it("may come in chunks, and is too large with a byte too many", async () => {
    const game = await newGame();
    const chunked = async (text: string) => {
      const init = { body: new Blob([text]).stream(), duplex: "half" };
      const headers = { authorization: `Bearer ${stack().serverKey}`, "content-type": "application/json" };
      return (await fetch(`${stack().api}${game.base}/scores`, { method: "POST", headers, ...init })).status;
    };
    expect(await chunked('{"player":"ada","points":1}')).toBe(201);
    expect(await chunked(`{"player":"ada","points":1}${" ".repeat(1024 * 1024)}`)).toBe(413);
    expect((await game.standing("ada")).points).toBe(1);
  });

  it("that is packed is refused with words", async () => {
    const game = await newGame();
    const rawBody = Uint8Array.from(gzipSync('{"player":"ada","points":1}'));
    const answer = await call(`${game.base}/scores`, { rawBody, headers: { "content-encoding": "gzip" } });
    expect(problemOf(answer, "unsupported-media-type").detail).toContain("Content-Encoding");
  });
});
