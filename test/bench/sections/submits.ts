/** Single durable submits through HTTP against the floor of two trivial calls, and against the home-made way. */
import { playEvening, type Play } from "../../../tools/demo/evening.ts";
import { SERVER_KEY, type BenchStack } from "../bench-stack.ts";
import { fire, type LoadResult } from "../load.ts";
import { playReference } from "../reference.ts";
import { figure, inTurn } from "../rounds.ts";
import type { Section } from "../report.ts";

const CLIENTS = [1, 8, 32];
const PLAYERS = 50_000;

export const JSON_HEADERS = { authorization: `Bearer ${SERVER_KEY}`, "content-type": "application/json" };

/** Distinct plays for a load: the i-th submission of the evening. */
export function plays(seed: number, count: number): Play[] {
  return [...playEvening(seed, count, PLAYERS)];
}

async function submits(bench: BenchStack, seed: number, clients: number, count: number): Promise<LoadResult> {
  const game = await bench.freshGame();
  const evening = plays(seed, count);
  return fire({
    baseUrl: bench.stack.info.api,
    clients,
    count,
    headers: JSON_HEADERS,
    shot: (i) => ({ method: "POST", path: `/v1/games/${game}/scores`, body: JSON.stringify(evening[i]) }),
  });
}

function floor(bench: BenchStack, clients: number, count: number): Promise<LoadResult> {
  const body = JSON.stringify({ player: "somebody", points: 100, country: "DE" });
  const shot = () => ({ method: "POST", path: "/two-calls", body });
  return fire({ baseUrl: bench.floorUrl, clients, count, headers: JSON_HEADERS, shot });
}

export async function benchSubmits(
  bench: BenchStack,
  rounds: number,
  count: number,
  say: (line: string) => void,
): Promise<Section> {
  const lines: Section["lines"][number][] = [];
  for (const clients of CLIENTS) {
    const size = clients === 1 ? Math.ceil(count / 4) : count;
    let round = 0;
    const results = await inTurn(
      rounds,
      {
        [`floor, ${clients} clients`]: () => floor(bench, clients, size),
        [`submits, ${clients} clients`]: () => submits(bench, ++round, clients, size),
      },
      say,
    );
    const [floors = [], own = []] = Object.values(results);
    const ratio = figure(own.map((result, i) => result.perSecond / (floors[i]?.perSecond ?? Number.NaN)));
    lines.push(
      {
        name: `floor of two trivial calls, ${clients} clients`,
        unit: "requests/s",
        figure: figure(floors.map((r) => r.perSecond)),
      },
      { name: `durable submits, ${clients} clients`, unit: "requests/s", figure: figure(own.map((r) => r.perSecond)) },
      {
        name: `submits to floor, ${clients} clients`,
        unit: "ratio",
        figure: ratio,
        goal: clients === 32 ? { atLeast: 0.6 } : undefined,
      },
      { name: `submit p50, ${clients} clients`, unit: "ms", figure: figure(own.map((r) => r.p50Ms)) },
      { name: `submit p95, ${clients} clients`, unit: "ms", figure: figure(own.map((r) => r.p95Ms)) },
      { name: `submit p99, ${clients} clients`, unit: "ms", figure: figure(own.map((r) => r.p99Ms)) },
    );
  }
  return { title: "Single submits", lines };
}

/** The home-made way on the same Redis, submissions a second. */
export function reference(bench: BenchStack, round: number, count: number): Promise<number> {
  return playReference(bench.stack.info.redisUrl, `round-${round}`, count, PLAYERS);
}
