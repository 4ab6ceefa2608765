/** Reads at 32 clients: top 10 from the isolate's second, and what goes to Redis each time. */
import { TopResponse } from "../../../functions/contract/boards.ts";
import type { BenchStack } from "../bench-stack.ts";
import { fire, type LoadResult, type Shot } from "../load.ts";
import { figure, inTurn } from "../rounds.ts";
import type { Section } from "../report.ts";
import { JSON_HEADERS, plays } from "./submits.ts";

const CLIENTS = 32;
const BATCH = 1_000;

/** Many short rounds: the machine's speed drifts within seconds, and only what ran side by side can be compared. */
export async function benchReads(
  bench: BenchStack,
  rounds: number,
  count: number,
  say: (line: string) => void,
): Promise<Section> {
  const game = await bench.freshGame();
  const evening = plays(7, 20_000);
  await fire({
    baseUrl: bench.stack.info.api,
    clients: 2,
    count: evening.length / BATCH,
    headers: JSON_HEADERS,
    shot: (i) => ({
      method: "POST",
      path: `/v1/games/${game}/scores/batch`,
      body: JSON.stringify({ submissions: evening.slice(i * BATCH, (i + 1) * BATCH) }),
    }),
  });
  const base = `/v1/games/${game}/boards/current`;
  const player = (i: number) => encodeURIComponent(evening[i % evening.length]?.player ?? "");
  const read = (baseUrl: string, path: (i: number) => string): Promise<LoadResult> => {
    const shot = (i: number): Shot => ({ method: "GET", path: path(i) });
    return fire({ baseUrl, clients: CLIENTS, count, headers: {}, shot });
  };
  const { api } = bench.stack.info;
  const { next } = TopResponse.parse(await (await fetch(`${api}${base}/top`)).json());
  const results = await inTurn(
    rounds,
    {
      bare: () => read(bench.floorUrl, () => "/bare"),
      "bare, with the headers, body and log line of an answer": () => read(bench.floorUrl, () => "/dressed"),
      "top 10, cached": () => read(api, () => `${base}/top`),
      // A page behind a cursor is kept in no memory: ten entries, read from Redis each time.
      "ten entries behind a cursor, uncached": () => read(api, () => `${base}/top?cursor=${next}`),
      around: () => read(api, (i) => `${base}/around/${player(i)}`),
      player: () => read(api, (i) => `${base}/players/${player(i)}`),
    },
    say,
  );
  const bare = results["bare"] ?? [];
  return {
    title: "Reads, 32 clients",
    lines: Object.entries(results).flatMap(([name, own]) => [
      {
        name: name === "bare" ? "bare Hono response" : name,
        unit: "requests/s",
        figure: figure(own.map((r) => r.perSecond)),
      },
      ...(name === "bare"
        ? []
        : [
            {
              name: `${name} to bare`,
              unit: "ratio",
              figure: figure(own.map((r, i) => r.perSecond / (bare[i]?.perSecond ?? Number.NaN))),
              goal: name === "top 10, cached" ? { atLeast: 0.8 } : undefined,
            },
          ]),
    ]),
  };
}
