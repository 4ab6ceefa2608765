/**
 * The same work by a Nakama server on the same Postgres: a submission to a weekly and an all-time board with both ranks in the
 * answer, and the top 10. docs/performance.md says what each side does besides.
 */
import { SERVER_KEY, type BenchStack } from "../bench-stack.ts";
import { cpuMs, cpuMsOf } from "../cpu.ts";
import { fire, type LoadResult, type Shot } from "../load.ts";
import { startNakama, type Nakama } from "../peer/nakama.ts";
import { startRawWorker } from "../raw-worker.ts";
import type { Line, Section } from "../report.ts";
import { figure, inTurn } from "../rounds.ts";
import { JSON_HEADERS, plays } from "./submits.ts";

const MANY = 32;
const BATCH = 1_000;

/** A load's result with the CPU time of all servers, milliseconds a request. */
type Measured = LoadResult & { readonly cpuMs: number };
type Side = {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly submit: (play: ReturnType<typeof plays>[number]) => Shot;
  readonly top: Shot;
  readonly topHeaders: Readonly<Record<string, string>>;
};

const sum = (byComponent: Readonly<Record<string, number>>) => Object.values(byComponent).reduce((a, b) => a + b, 0);

const toNakama = (nakama: Nakama): Side => ({
  baseUrl: nakama.url,
  headers: {},
  submit: (play) => ({ method: "POST", path: nakama.submitPath, body: nakama.bodyOf(play) }),
  top: { method: "GET", path: nakama.topPath },
  topHeaders: nakama.topHeaders,
});

const toOurs = (baseUrl: string, game: string): Side => ({
  baseUrl,
  headers: JSON_HEADERS,
  submit: (play) => ({ method: "POST", path: `/v1/games/${game}/scores`, body: JSON.stringify(play) }),
  top: { method: "GET", path: `/v1/games/${game}/boards/current/top` },
  topHeaders: {},
});

/** Every player on both sides' boards before anything is measured. */
async function fill(bench: BenchStack, game: string, nakama: Nakama, players: number): Promise<void> {
  const first = plays(1, players);
  await nakama.fill(first);
  for (let from = 0; from < first.length; from += BATCH) {
    const body = JSON.stringify({ submissions: first.slice(from, from + BATCH) });
    const url = `${bench.stack.info.api}/v1/games/${game}/scores/batch`;
    const response = await fetch(url, { method: "POST", headers: JSON_HEADERS, body });
    if (!response.ok) throw new Error(`filling the boards answered ${response.status}`);
    await response.arrayBuffer();
  }
}

const ratio = (ours: readonly Measured[] = [], theirs: readonly Measured[] = []) =>
  figure(ours.map(({ perSecond }, i) => perSecond / (theirs[i]?.perSecond ?? Number.NaN)));

function linesOf(name: string, results: readonly Measured[]): Line[] {
  const of = (value: (result: Measured) => number) => figure(results.map(value));
  return [
    { name, unit: "requests/s", figure: of(({ perSecond }) => perSecond) },
    { name: `${name}: CPU of all servers`, unit: "ms a request", figure: of((result) => result.cpuMs) },
    { name: `${name}: p50`, unit: "ms", figure: of(({ p50Ms }) => p50Ms) },
    { name: `${name}: p99`, unit: "ms", figure: of(({ p99Ms }) => p99Ms) },
  ];
}

async function compare(
  bench: BenchStack,
  nakama: Nakama,
  rounds: number,
  { players, count }: Volume,
  say: (line: string) => void,
): Promise<Section> {
  const raw = await startRawWorker(bench.stack, SERVER_KEY);
  try {
    const game = await bench.freshGame();
    say(`filling the boards of both sides, ${players} plays`);
    await fill(bench, game, nakama, players);
    const pids = { nakama: nakama.pid, raw: raw.pid };
    const used = () => sum(cpuMs(bench.stack)) + sum(cpuMsOf(pids));
    const measure = async (work: () => Promise<LoadResult>, requests: number): Promise<Measured> => {
      const before = used();
      const result = await work();
      return { ...result, cpuMs: (used() - before) / requests };
    };
    let seed = 1;
    const submit = (side: Side, clients: number) => () => {
      const requests = clients === 1 ? Math.ceil(count / 4) : count;
      const evening = plays((seed += 1), requests);
      const shot = (i: number): Shot => {
        const play = evening[i];
        if (!play) throw new Error("fewer plays than requests");
        return side.submit(play);
      };
      const { baseUrl, headers } = side;
      return measure(() => fire({ baseUrl, clients, count: requests, headers, shot }), requests);
    };
    const top =
      ({ baseUrl, top: shot, topHeaders }: Side) =>
      () =>
        measure(() => fire({ baseUrl, clients: MANY, count, headers: topHeaders, shot: () => shot }), count);
    const sides = {
      Nakama: toNakama(nakama),
      "ours, raw workerd": toOurs(raw.url, game),
      "ours, npm start": toOurs(bench.stack.info.api, game),
    };
    const kinds = {
      [`submit, ${MANY} connections`]: (side: Side) => submit(side, MANY),
      "submit, one connection": (side: Side) => submit(side, 1),
      [`top 10, ${MANY} connections`]: top,
    };
    const measurements = Object.entries(kinds).flatMap(([kind, of]) =>
      Object.entries(sides).map(([who, side]) => [`${kind}, ${who}`, of(side)] as const),
    );
    const results = await inTurn(rounds, Object.fromEntries(measurements), say);
    const lines = Object.entries(results).flatMap(([name, own]) => linesOf(name, own));
    for (const kind of Object.keys(kinds)) {
      const own = results[`${kind}, ours, raw workerd`];
      lines.push({ name: `${kind}: ours to Nakama`, unit: "ratio", figure: ratio(own, results[`${kind}, Nakama`]) });
    }
    return { title: `A peer: Nakama on the same Postgres, ${players} plays before`, lines };
  } finally {
    await raw.stop();
  }
}

export type Volume = { readonly players: number; readonly count: number };

/** Without `NAKAMA_BIN` a section without lines, whose title says how to get them. */
export async function benchPeer(
  bench: () => Promise<BenchStack>,
  rounds: number,
  volume: Volume,
  say: (line: string) => void,
): Promise<Section> {
  const binary = process.env["NAKAMA_BIN"];
  if (!binary)
    return { title: "A peer: left out; NAKAMA_BIN=<path of a Nakama server> measures one beside ours", lines: [] };
  const started = await bench();
  const nakama = await startNakama(started.stack, binary);
  try {
    return await compare(started, nakama, rounds, volume, say);
  } finally {
    await nakama.stop();
  }
}
