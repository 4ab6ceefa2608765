/** What `npm start` serves against the same bundle in workerd by itself: what the local stack's own runtime costs. */
import { SERVER_KEY, type BenchStack } from "../bench-stack.ts";
import { fire, type LoadResult } from "../load.ts";
import { startRawWorker } from "../raw-worker.ts";
import { figure, inTurn } from "../rounds.ts";
import type { Section } from "../report.ts";
import { JSON_HEADERS, plays } from "./submits.ts";

const READERS = 16;
const SUBMITTERS = 32;

const ratios = (own: readonly LoadResult[] = [], raw: readonly LoadResult[] = []) =>
  figure(own.map(({ perSecond }, i) => perSecond / (raw[i]?.perSecond ?? Number.NaN)));

export async function benchRuntime(
  bench: BenchStack,
  rounds: number,
  count: number,
  say: (line: string) => void,
): Promise<Section> {
  const raw = await startRawWorker(bench.stack, SERVER_KEY);
  try {
    const shown = await bench.freshGame();
    const first = plays(7, 1_000);
    const body = JSON.stringify({ submissions: first });
    await fetch(`${raw.url}/v1/games/${shown}/scores/batch`, { method: "POST", headers: JSON_HEADERS, body });
    const read = (baseUrl: string, path: string) =>
      fire({ baseUrl, clients: READERS, count: count * 3, headers: {}, shot: () => ({ method: "GET", path }) });
    let round = 0;
    const submit = async (baseUrl: string) => {
      const game = await bench.freshGame();
      const evening = plays(++round, count);
      const shot = (i: number) => ({
        method: "POST",
        path: `/v1/games/${game}/scores`,
        body: JSON.stringify(evening[i]),
      });
      return fire({ baseUrl, clients: SUBMITTERS, count, headers: JSON_HEADERS, shot });
    };
    const { api } = bench.stack.info;
    const top = `/v1/games/${shown}/boards/current/top`;
    const results = await inTurn(
      rounds,
      {
        "/healthz, raw workerd": () => read(raw.url, "/healthz"),
        "/healthz, npm start": () => read(api, "/healthz"),
        "cached top 10, raw workerd": () => read(raw.url, top),
        "cached top 10, npm start": () => read(api, top),
        "submit, raw workerd": () => submit(raw.url),
        "submit, npm start": () => submit(api),
      },
      say,
    );
    const kinds = [
      { name: "/healthz", goal: 0.7 },
      { name: "cached top 10", goal: 0.7 },
      { name: "submit", goal: 0.85 },
    ];
    return {
      title: `The local stack's runtime, ${READERS} readers, ${SUBMITTERS} submitters`,
      lines: [
        ...Object.entries(results).map(([name, own]) => ({
          name,
          unit: "requests/s",
          figure: figure(own.map(({ perSecond }) => perSecond)),
        })),
        ...kinds.map(({ name, goal }) => ({
          name: `${name}: npm start to raw workerd`,
          unit: "ratio",
          figure: ratios(results[`${name}, npm start`], results[`${name}, raw workerd`]),
          goal: { atLeast: goal },
        })),
      ],
    };
  } finally {
    await raw.stop();
  }
}
