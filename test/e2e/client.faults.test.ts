/** The client against answers that are not the service's, and against its refusals. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClient, ProblemError } from "../../client/index.ts";
import { PROBLEM_TYPE_PREFIX, PROBLEMS } from "../../functions/contract/problem.ts";
import { call, freshGame } from "../harness/api.ts";
import { breaksOff, forwards, hangsUp, plays, startForeignServer } from "../harness/foreign-server.ts";
import type { ForeignServer } from "../harness/foreign-server.ts";
import { stack } from "../harness/stack.ts";

let servers: ForeignServer[];
beforeEach(() => {
  servers = [];
});
afterEach(() => Promise.all(servers.map((server) => server.close())));

async function foreign(): Promise<ForeignServer> {
  const server = await startForeignServer();
  servers.push(server);
  return server;
}

const clientOf = ({ url }: ForeignServer) => createClient({ baseUrl: url, token: stack().serverKey });
const ada = { player: "ada", points: 10 };
const STORED = JSON.stringify({ submissionId: "019ade3c-6d3f-7a31-8f5d-0c6f0f6f9d11", ...ada });
const HTML = "<!doctype html><title>Sign in to the hotel</title>";

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

async function refusal(call: Promise<unknown>): Promise<ProblemError> {
  const error = await failure(call);
  if (!(error instanceof ProblemError)) throw new Error("not refused", { cause: error });
  return error;
}

/** The answers of `answers` in turn, each before a good one: how often the client asked, by the answer's name. */
async function callsAfter(answers: Readonly<Record<string, Parameters<ForeignServer["play"]>[0]>>) {
  const counted = Object.entries(answers).map(async ([name, answer]) => {
    const server = await foreign();
    server.play(answer, plays(201, STORED));
    await failure(clientOf(server).submit("arena", ada, "match-1"));
    const keys = new Set(server.calls.map(({ key }) => key));
    return [name, keys.size === 1 ? server.calls.length : "another key"] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
}

const all = (names: readonly (string | number)[], value: number) =>
  Object.fromEntries(names.map((name) => [String(name), value]));

describe("a keyed submission", () => {
  test("is sent again after every status that is not the service's own refusal", async () => {
    const statuses = Array.from({ length: 300 }, (_, index) => 300 + index).filter((status) => status !== 304);
    const answers = Object.fromEntries(statuses.map((status) => [status, plays(status, HTML)]));
    expect(await callsAfter(answers)).toEqual(all(statuses, 2));
  });

  test("is sent once when the service refuses it, and again when the service is out or asks for time", async () => {
    const codes = Object.entries(PROBLEMS);
    const answers = Object.fromEntries(
      codes.map(([code, { status, title }]) => [
        code,
        plays(status, JSON.stringify({ type: PROBLEM_TYPE_PREFIX + code, title, status, detail: "…" })),
      ]),
    );
    const again = ["rate-limited", "internal", "misconfigured", "unavailable"];
    expect(await callsAfter(answers)).toEqual({ ...all(Object.keys(PROBLEMS), 1), ...all(again, 2) });
  });

  test("is sent again after a success that does not carry its result", async () => {
    const bodies = {
      html: HTML,
      empty: "",
      cut: STORED.slice(0, 20),
      "not an object": '"ok"',
      nothing: "null",
      list: "[]",
      "another's": '{"success":true}',
    };
    const answers = Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, plays(200, body)]));
    const more = { ...answers, "without content": plays(204), "breaks off": breaksOff, "hangs up": hangsUp };
    expect(await callsAfter(more)).toEqual(all(Object.keys(more), 2));
  });

  test("whose answers were lost is stored once, also in a batch with keys left open", async () => {
    const game = await freshGame();
    const server = await foreign();
    const client = clientOf(server);
    const lost = forwards(stack().api, plays(520, HTML));
    const arrives = forwards(stack().api);
    server.play(lost, lost, arrives);
    expect(await client.submit(game, ada, undefined)).toMatchObject({ rank: 1, replayed: true });
    server.play(lost, arrives);
    expect(await client.submit(game, { ...ada, points: 20, country: null }, null)).toMatchObject({ replayed: true });
    server.play(lost, arrives);
    const { results } = await client.submitBatch(game, [
      { player: "bob", points: 30, idempotencyKey: undefined, country: undefined },
      { player: "eve", points: 40, idempotencyKey: null, submittedAt: null },
    ]);
    expect(results).toMatchObject([{ replayed: true }, { replayed: true }]);
    const { body } = await call(`/v1/games/${game}/feed`);
    expect(body).toMatchObject({ events: [{ points: 40 }, { points: 30 }, { points: 20 }, { points: 10 }] });
  });
});

describe("Retry-After", () => {
  const waited = async (headers: Readonly<Record<string, string>>, body = HTML): Promise<number> => {
    const server = await foreign();
    server.play(plays(503, body, headers), plays(201, STORED));
    const startedAt = performance.now();
    await clientOf(server).submit("arena", ada);
    return performance.now() - startedAt;
  };

  test("is the least the client waits, in seconds, as a date of the sender's clock, or in the problem", async () => {
    const date = new Date(Date.now() - 3_600_000);
    const later = new Date(date.getTime() + 1_000);
    const problem = {
      type: `${PROBLEM_TYPE_PREFIX}unavailable`,
      status: 503,
      title: "…",
      detail: "…",
      retryAfterSeconds: 1,
    };
    const waits = await Promise.all([
      waited({ "retry-after": "1" }),
      waited({ "retry-after": later.toUTCString(), date: date.toUTCString() }),
      waited({ "retry-after": "0" }, JSON.stringify(problem)),
    ]);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(990);
  });

  test("that asks for more time than a call has, ends the call and is told", async () => {
    const server = await foreign();
    server.play(plays(429, HTML, { "retry-after": "120" }));
    const error = await refusal(clientOf(server).submit("arena", ada));
    expect([error.status, error.retryAfterSeconds, server.calls.length]).toEqual([429, 120, 1]);
  });

  test("that says nothing readable counts as none", async () => {
    const server = await foreign();
    const answers = ["soon", "-5", "Infinity", ""].map((value) => plays(503, HTML, { "retry-after": value }));
    for (const answer of answers) {
      server.play(answer, plays(201, STORED));
      expect(await clientOf(server).submit("arena", ada)).toMatchObject(ada);
    }
  });
});

test("an answer that is not the service's is a ProblemError of unknown code with the status", async () => {
  const server = await foreign();
  const client = clientOf(server);
  server.play(plays(200, HTML));
  const reads = [
    client.top("arena", "current"),
    client.live("arena"),
    client.getGame("arena"),
    client.ban("arena", "ada"),
  ];
  for (const error of await Promise.all(reads.map(refusal))) {
    expect([error.status, error.code]).toEqual([200, "unknown"]);
    expect(error.message).toContain("not an answer of this service");
  }
});

test("a problem whose fields are of other types than ours is read as far as it goes", async () => {
  const server = await foreign();
  server.play(
    plays(404, JSON.stringify({ type: `${PROBLEM_TYPE_PREFIX}not-ranked`, title: 7, errors: "none", requestId: {} })),
  );
  const error = await refusal(clientOf(server).standing("arena", "current", "ada"));
  expect([error.code, error.detail, error.errors, error.requestId]).toEqual(["not-ranked", "", [], undefined]);
});

test("an id that a path cannot carry is refused, and never leads to another route", async () => {
  const server = await foreign();
  for (const id of [".", "..", "\ud800"]) {
    const calls = [clientOf(server).deletePlayer("arena", id), clientOf(server).around("arena", "current", id)];
    for (const error of await Promise.all(calls.map(refusal))) expect(error.code).toBe("invalid");
  }
  expect(server.calls).toEqual([]);
});

test("an optional field that is undefined or null is left out of every call", async () => {
  const server = await foreign();
  const client = createClient({ baseUrl: server.url, token: null, fetch: undefined });
  server.play(plays(404, JSON.stringify({ type: `${PROBLEM_TYPE_PREFIX}unknown-game` })));
  for (const none of [undefined, null]) {
    await Promise.all(
      [
        client.top("arena", "current", none),
        client.top("arena", "current", { n: none, country: none, cursor: none }),
        client.standing("arena", "current", "ada", none),
        client.around("arena", "current", "ada", none),
        client.around("arena", "current", "ada", { k: none, country: none }),
        client.feed("arena", none),
        client.feed("arena", { n: none, cursor: none }),
        client.held("arena", none),
        client.held("arena", { n: none, cursor: none }),
        client.exportPlayer("arena", "ada", none),
      ].map(refusal),
    );
  }
  expect(server.calls.map(({ path }) => path).filter((path) => path.includes("?"))).toEqual([]);
  expect(server.calls.length).toBe(20);
});
