/** A full house: sockets on the rooms of one week while submissions through the Worker keep changing the top 10. */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { isNewer, LiveResponse } from "../../../functions/contract/live.ts";
import { TopResponse } from "../../../functions/contract/boards.ts";
import type { BenchStack } from "../bench-stack.ts";
import { figure } from "../rounds.ts";
import type { Section } from "../report.ts";
import { JSON_HEADERS } from "./submits.ts";

const CONNECTING_AT_ONCE = 50;
const BATCHES_PER_SECOND = 20;
const LAST_BOARD_MS = 30_000;

export type Crowd = {
  readonly sockets: number;
  readonly shards: number;
  readonly seconds: number;
  readonly perSecond: number;
};

type Viewer = { version: string; atMs: number; wentDown: number; closed: boolean };

/** Enough of a message to follow it; parsing two thousand copies of each board would be the load that is measured. */
const VERSION = /^\{"type":"top".*?"version":"(\d+)"/;

async function liveUrl(bench: BenchStack, game: string): Promise<string> {
  const response = await fetch(`${bench.stack.info.api}/v1/games/${game}/live`);
  return LiveResponse.parse(await response.json()).url;
}

function watch(url: string, seen: Set<string>): Promise<Viewer> {
  const viewer: Viewer = { version: "0", atMs: 0, wentDown: 0, closed: false };
  const socket = new WebSocket(url);
  socket.addEventListener("close", () => (viewer.closed = true));
  socket.addEventListener("message", ({ data }) => {
    const version = VERSION.exec(String(data))?.[1];
    if (version === undefined) return;
    seen.add(version);
    if (isNewer(viewer.version, version)) viewer.wentDown += 1;
    Object.assign(viewer, { version, atMs: performance.now() });
  });
  return new Promise((resolve, reject) => {
    socket.addEventListener("open", () => resolve(viewer));
    socket.addEventListener("error", () => reject(new Error("a socket was refused")));
  });
}

/** Submits batches at a steady rate, every one of which changes the top 10; how many submissions got through. */
async function play(bench: BenchStack, game: string, crowd: Crowd): Promise<number> {
  const size = Math.round(crowd.perSecond / BATCHES_PER_SECOND);
  const startedAt = performance.now();
  const running: Promise<number>[] = [];
  for (let number = 0; number < crowd.seconds * BATCHES_PER_SECOND; number++) {
    await sleep(Math.max(0, startedAt + (number * 1_000) / BATCHES_PER_SECOND - performance.now()));
    const submissions = Array.from({ length: size }, (_, i) => ({
      player: `player-${(number * size + i) % 200}`,
      points: 1_000 + number * size + i,
    }));
    const body = JSON.stringify({ submissions });
    running.push(
      fetch(`${bench.stack.info.api}/v1/games/${game}/scores/batch`, {
        method: "POST",
        headers: JSON_HEADERS,
        body,
      }).then(async (response) => {
        const { results } = z.object({ results: z.array(z.unknown()) }).parse(await response.json());
        return response.ok ? results.length : 0;
      }),
    );
  }
  return (await Promise.all(running)).reduce((sum, one) => sum + one, 0);
}

/** Pushes that the Worker has sent to the rooms since it started, by its own log. */
async function pushes(bench: BenchStack): Promise<number> {
  const log = await readFile(bench.stack.logFile("worker"), "utf8");
  return log.split('"name":"push-top","outcome":"done"').length - 1;
}

async function finalVersion(bench: BenchStack, game: string): Promise<string> {
  const response = await fetch(`${bench.stack.info.api}/v1/games/${game}/boards/current/top?n=10`);
  return TopResponse.parse(await response.json()).version;
}

/** Median, 95th percentile and maximum. */
function spread(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  return { p95: sorted[Math.floor((sorted.length - 1) * 0.95)] ?? Number.NaN, ...figure(values) };
}

export async function benchFanOut(bench: BenchStack, crowd: Crowd, say: (line: string) => void): Promise<Section> {
  const game = await bench.freshGame(crowd.shards > 1 ? { shards: crowd.shards } : {});
  const seen = new Set<string>();
  const viewers: Viewer[] = [];
  while (viewers.length < crowd.sockets) {
    const count = Math.min(CONNECTING_AT_ONCE, crowd.sockets - viewers.length);
    const urls = await Promise.all(Array.from({ length: count }, () => liveUrl(bench, game)));
    viewers.push(...(await Promise.all(urls.map((url) => watch(url, seen)))));
    if (viewers.length % 500 === 0) say(`${viewers.length} of ${crowd.sockets} sockets`);
  }
  seen.clear();
  say(`${crowd.perSecond} submissions a second for ${crowd.seconds} s`);
  const pushedBefore = await pushes(bench);
  const startedAt = performance.now();
  const accepted = await play(bench, game, crowd);
  const lastAt = performance.now();
  const seconds = (lastAt - startedAt) / 1_000;
  await sleep(1_000); // the API's own page of the top is at most this old
  const last = await finalVersion(bench, game);
  const behind = () => viewers.filter(({ version }) => version !== last).length;
  while (behind() > 0 && performance.now() < lastAt + LAST_BOARD_MS) await sleep(20);
  const pushed = (await pushes(bench)) - pushedBefore;
  const late = spread(viewers.map(({ atMs }) => Math.max(0, atMs - lastAt)));
  const one = (value: number) => figure([value]);
  const rooms = crowd.shards > 1 ? `, ${crowd.shards} shards` : "";
  return {
    title: `Fan-out: ${crowd.sockets.toLocaleString("en")} sockets${rooms}`,
    lines: [
      { name: "submissions accepted", unit: "per second", figure: one(accepted / seconds) },
      { name: "pushes to the room", unit: "per second", figure: one(pushed / seconds), goal: { atMost: 20 } },
      {
        name: "boards that reached the sockets",
        unit: "per second",
        figure: one(seen.size / seconds),
      },
      { name: "sockets without the final top 10", unit: "sockets", figure: one(behind()), goal: { atMost: 0 } },
      {
        name: "sockets that saw a version go down",
        unit: "sockets",
        figure: one(viewers.filter(({ wentDown }) => wentDown > 0).length),
        goal: { atMost: 0 },
      },
      {
        name: "sockets dropped",
        unit: "sockets",
        figure: one(viewers.filter(({ closed }) => closed).length),
        goal: { atMost: 0 },
      },
      {
        name: "final top 10 after the last answer, median",
        unit: "ms",
        figure: { median: late.median, min: late.min, max: late.max },
      },
      { name: "final top 10 after the last answer, 95 %", unit: "ms", figure: one(late.p95), goal: { atMost: 2_000 } },
    ],
  };
}
