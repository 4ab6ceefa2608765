/**
 * A Nakama server that the reader has (`NAKAMA_BIN`), on the Postgres of a bench stack: a weekly and an all-time board, and a
 * function of its runtime that writes to both and answers with both ranks, as a submission of ours does.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { Client, escapeIdentifier } from "pg";
import { z } from "zod";
import { freePort } from "../../../local/ports.ts";
import { Component } from "../../../local/process/component.ts";
import type { Stack } from "../../../local/stack.ts";

const DATABASE = "nakama";
const SERVER_KEY = "bench-server-key";
const HTTP_KEY = "bench-http-key";
/** Plays of one call that fills the boards. */
const FILLED_AT_ONCE = 500;
/** Our endpoints hold connections of their own. */
const CONNECTIONS = 50;

const RUNTIME = `local nk = require("nakama")

nk.leaderboard_create("weekly", false, "desc", "best", "0 0 * * 1", {}, true)
nk.leaderboard_create("all_time", false, "desc", "best", "", {}, true)

local function write(play)
  local weekly = nk.leaderboard_record_write("weekly", play.owner, play.player, play.points)
  local all_time = nk.leaderboard_record_write("all_time", play.owner, play.player, play.points)
  return { weekly = weekly.rank, allTime = all_time.rank }
end

nk.register_rpc(function(_, payload)
  return nk.json_encode(write(nk.json_decode(payload)))
end, "submit")

nk.register_rpc(function(_, payload)
  for _, play in ipairs(nk.json_decode(payload)) do write(play) end
  return "{}"
end, "fill")
`;

type Play = { readonly player: string; readonly points: number };

export type Nakama = {
  readonly url: string;
  readonly pid: number;
  readonly submitPath: string;
  /** What a play is sent as. */
  bodyOf(play: Play): string;
  readonly topPath: string;
  readonly topHeaders: Readonly<Record<string, string>>;
  fill(plays: readonly Play[]): Promise<void>;
  stop(): Promise<void>;
};

/** Owners of records are UUIDs. */
function withOwner({ player, points }: Play) {
  const hex = createHash("sha256").update(player).digest("hex");
  const owner = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return { player, points, owner };
}

async function createDatabase(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`create database ${escapeIdentifier(DATABASE)}`);
  await client.end();
  const url = new URL(databaseUrl);
  return `${url.username}:${url.password}@${url.host}/${DATABASE}`;
}

const rpcPath = (name: string) => `/v2/rpc/${name}?http_key=${HTTP_KEY}&unwrap`;

async function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const response = await fetch(url, { method: "POST", body, headers });
  if (!response.ok) throw new Error(`Nakama answered ${response.status} to ${new URL(url).pathname}`);
  return response.json();
}

/** Throws when the binary does not start, or its functions do not answer as expected. */
export async function startNakama({ info, dataDir }: Stack, binary: string): Promise<Nakama> {
  const home = path.join(dataDir, "nakama");
  mkdirSync(path.join(home, "modules"), { recursive: true });
  writeFileSync(path.join(home, "modules", "boards.lua"), RUNTIME);
  const address = await createDatabase(info.databaseUrl);
  await promisify(execFile)(binary, ["migrate", "up", "--database.address", address]);
  const [port, consolePort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const options = {
    name: "bench",
    "database.address": address,
    "database.max_open_conns": CONNECTIONS,
    data_dir: home,
    "runtime.path": path.join(home, "modules"),
    "runtime.http_key": HTTP_KEY,
    "socket.address": "127.0.0.1",
    "socket.port": port,
    "socket.server_key": SERVER_KEY,
    "console.address": "127.0.0.1",
    "console.port": consolePort,
    "session.token_expiry_sec": 86_400,
    "logger.level": "WARN",
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const spec = {
    name: "nakama",
    port,
    logFile: path.join(home, "nakama.log"),
    command: () => ({ file: binary, args }),
    async probe() {
      const response = await fetch(`${url}/healthcheck`);
      if (!response.ok) throw new Error(`Nakama answers ${response.status}`);
    },
    readyTimeoutMs: 60_000,
    stopSignal: "SIGTERM" as const,
    graceMs: 10_000,
  };
  const nakama = new Component(spec, { say: () => undefined, started: () => undefined });
  await nakama.start();

  const basic = Buffer.from(`${SERVER_KEY}:`).toString("base64");
  const session = await post(
    `${url}/v2/account/authenticate/device?create=true`,
    JSON.stringify({ id: "edgeboard-bench-device" }),
    { authorization: `Basic ${basic}` },
  );
  const { token } = z.object({ token: z.string() }).parse(session);
  return {
    url,
    pid: nakama.pid,
    submitPath: rpcPath("submit"),
    bodyOf: (play) => JSON.stringify(withOwner(play)),
    topPath: "/v2/leaderboard/weekly?limit=10",
    topHeaders: { authorization: `Bearer ${token}` },
    async fill(plays) {
      for (let from = 0; from < plays.length; from += FILLED_AT_ONCE) {
        const some = plays.slice(from, from + FILLED_AT_ONCE).map(withOwner);
        await post(`${url}${rpcPath("fill")}`, JSON.stringify(some));
      }
    },
    stop: () => nakama.stop(),
  };
}
