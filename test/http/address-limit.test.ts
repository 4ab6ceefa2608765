import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { neonService } from "../../local/neon/service.ts";
import { makeKey } from "../../tools/keys/store.ts";
import { startEndpoint, type Endpoint } from "../cron/endpoints.ts";
import { call, type CallOptions } from "../harness/api.ts";
import { newGame, problemOf, type GameClient } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { stack } from "../harness/stack.ts";
import { appOnStack } from "./app-on-stack.ts";
import { databaseKey, playerToken } from "./security-callers.ts";

const stores = openStores();
const LIMIT = 30;
const REQUESTS = 40;
const AT_ONCE = 20;
const inventedKey = () => makeKey().key;

/** The app over a Postgres endpoint of its own, so that it can be told what reached Postgres, with a limit of 30 an address. */
function limitedApp(neon: Endpoint) {
  const passed = new Map<string, number>();
  return appOnStack({
    NEON_SQL_ENDPOINT: `${neon.url}/sql`,
    // What Cloudflare binds; the real one counts by the minute.
    ADDRESS_LIMIT: {
      limit: ({ key }: { key: string }) => {
        passed.set(key, (passed.get(key) ?? 0) + 1);
        return Promise.resolve({ success: (passed.get(key) ?? 0) <= LIMIT });
      },
    },
  });
}

type Kind = { readonly path: string; readonly method: string; readonly token?: () => string; readonly body?: unknown };

function kindsOf(base: string): Readonly<Record<string, Kind>> {
  const score = { player: "ada", points: 1 };
  // A week that Redis has forgotten: each read asks Postgres.
  const old = `${base}/boards/2025-W10/players/ada`;
  return {
    "GET of a read": { path: old, method: "GET" },
    "HEAD of a read": { path: old, method: "HEAD" },
    "a read with invented keys": { path: base, method: "GET", token: inventedKey },
    "POST with invented keys": { path: `${base}/scores`, method: "POST", token: inventedKey, body: score },
    "PUT with invented keys": { path: base, method: "PUT", token: inventedKey, body: {} },
    "DELETE with invented keys": { path: `${base}/players/ada`, method: "DELETE", token: inventedKey },
    "POST of a batch with invented keys": {
      path: `${base}/scores/batch`,
      method: "POST",
      token: inventedKey,
      body: { submissions: [score] },
    },
    "/readyz": { path: "/readyz", method: "GET" },
    "HEAD of /readyz": { path: "/readyz", method: "HEAD" },
    "/metrics": { path: "/metrics", method: "GET", token: inventedKey },
  };
}

describe(`of ${REQUESTS} requests of one address, with a limit of ${LIMIT}`, () => {
  let neon: Endpoint;
  let game: GameClient;
  let app: ReturnType<typeof limitedApp>;

  beforeAll(async () => {
    neon = await startEndpoint(neonService({ databaseUrl: stack().databaseUrl }));
    game = await newGame();
    app = limitedApp(neon);
    vi.spyOn(console, "info").mockImplementation(() => undefined);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await neon.stop();
  });

  /** Statuses of the kind's requests, and how many statements reached Postgres meanwhile. */
  async function flood(kind: Kind, address: string, token = kind.token) {
    await neon.reset();
    const statuses = new Map<number, number>();
    let sent = 0;
    const worker = async () => {
      while (sent++ < REQUESTS) {
        const headers = new Headers({ "cf-connecting-ip": address, "content-type": "application/json" });
        if (token) headers.set("authorization", `Bearer ${token()}`);
        const body = kind.body === undefined ? {} : { body: JSON.stringify(kind.body) };
        const { status } = await app.request(kind.path, { method: kind.method, headers, ...body });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return { refused: statuses.get(429) ?? 0, statuses, asked: (await neon.stats()).operations };
  }

  for (const [number, name] of Object.keys(kindsOf("")).entries()) {
    it(`by ${name}, those above the limit are refused before a store is asked`, async () => {
      const kind = kindsOf(game.base)[name];
      if (!kind) throw new Error(`no such kind: ${name}`);
      const { refused, asked } = await flood(kind, `198.51.100.${number}`);
      expect(refused).toBe(REQUESTS - LIMIT);
      // A read asks for the board and for the game, or for the game and the key.
      expect(asked).toBeLessThanOrEqual(2 * LIMIT);
    });
  }

  it("to /readyz, one look a second reaches Postgres", async () => {
    const startedMs = Date.now();
    const { asked, statuses } = await flood({ path: "/readyz", method: "GET" }, "127.0.0.1");
    expect([...statuses.keys()]).toEqual([200]);
    expect(asked).toBeLessThanOrEqual(2 + (Date.now() - startedMs) / 1_000);
  });

  it("none is refused with the key of the environment, a key that was seen to be good, or a player's own token", async () => {
    const [known, submit] = [
      await databaseKey(stores.postgres, game.id, ["submit"]),
      kindsOf(game.base)["POST with invented keys"],
    ];
    if (!submit) throw new Error("no submissions");
    const player = await playerToken(game.id, "ada");
    for (const [address, token] of [
      ["198.51.100.101", stack().serverKey],
      ["198.51.100.102", player],
      ["198.51.100.103", known],
    ] as const) {
      expect((await flood(submit, address, () => token)).statuses, address).toEqual(new Map([[201, REQUESTS]]));
    }
  });

  it("a key that the service has not seen is limited, and so are a player's reads and the wrong secret of a known key", async () => {
    const { "HEAD of a read": read, "POST with invented keys": submit } = kindsOf(game.base);
    if (!read || !submit) throw new Error("no such kinds");
    const address = "198.51.100.110";
    await flood(read, address);
    const [unseen, known] = [0, 1].map(() => databaseKey(stores.postgres, game.id, ["submit"]));
    expect((await flood(submit, address, await fixed(unseen))).refused).toBe(REQUESTS);
    await flood(submit, "198.51.100.111", await fixed(known));
    expect((await flood(submit, address, await fixed(known))).refused).toBe(0);
    const wrong = `${(await known)?.slice(0, -4)}AAAA`;
    expect(await flood(submit, address, () => wrong)).toMatchObject({ refused: REQUESTS, asked: 0 });
    const player = await playerToken(game.id, "ada");
    expect((await flood(read, address, () => player)).refused).toBe(REQUESTS);
  });
});

const fixed = async (key: Promise<string> | undefined) => {
  const token = (await key) ?? "";
  return () => token;
};

const minuteNow = () => Math.floor(Date.now() / 60_000);

describe("the Worker with the binding of the platform", () => {
  it("refuses an address by every method and on every route that asks a store, and no other address", async () => {
    const game = await newGame();
    const from = (address: string, options: CallOptions = {}) => ({
      ...options,
      headers: { "cf-connecting-ip": address },
    });
    const address = "203.0.113.77";
    /** A path without a route is the cheapest that counts. */
    const fill = async () => {
      for (let sent = 0; sent < 2_600; sent += 50) {
        const heads = Array.from({ length: 50 }, () => call("/v1/x", from(address, { method: "HEAD", key: null })));
        if ((await Promise.all(heads)).some(({ status }) => status === 429)) return true;
      }
      return false;
    };
    const ask = ([, { path, method, token, body }]: [string, Kind]) =>
      call(path, from(address, { method, key: token?.() ?? null, ...(body === undefined ? {} : { body }) }));
    const kinds = Object.entries(kindsOf(game.base));
    // The limit is one of a minute: all is asked again if one ended in between.
    let minute: number;
    let isLimited: boolean;
    let answers: Awaited<ReturnType<typeof call>>[];
    let read: Awaited<ReturnType<typeof call>>;
    do {
      minute = minuteNow();
      isLimited = await fill();
      answers = await Promise.all(kinds.map(ask));
      read = await call(game.base, from(address, { key: null }));
    } while (minute !== minuteNow());
    expect(isLimited).toBe(true);
    for (const [i, [name]] of kinds.entries()) {
      expect(answers[i]?.status, name).toBe(429);
      expect(answers[i]?.headers.get("retry-after"), name).toBe("60");
    }
    expect(problemOf(read, "rate-limited").retryAfterSeconds).toBe(60);
    for (const other of ["203.0.113.78", "127.0.0.1"]) {
      expect((await call(`${game.base}/feed`, from(other, { key: null }))).status, other).toBe(200);
    }
    expect((await call(`${game.base}/feed`, from(address))).status).toBe(200);
    expect((await call(game.base, from(address, { method: "OPTIONS", key: null }))).status).toBe(204);
  });
});
