/** Durable batches against the home-made way. */
import { SERVER_KEY, type BenchStack } from "../bench-stack.ts";
import { fire } from "../load.ts";
import { figure, inTurn } from "../rounds.ts";
import type { Line, Section } from "../report.ts";
import { plays, reference } from "./submits.ts";

const SIZES = [100, 500, 1_000];
/** Two batches on their way keep Postgres and the Worker busy at once on two cores. */
const CLIENTS = 2;

async function batches(bench: BenchStack, seed: number, size: number, total: number): Promise<number> {
  const game = await bench.freshGame();
  const evening = plays(seed, total);
  const bodies = Array.from({ length: total / size }, (_, i) =>
    JSON.stringify({ submissions: evening.slice(i * size, (i + 1) * size) }),
  );
  const result = await fire({
    baseUrl: bench.stack.info.api,
    clients: CLIENTS,
    count: bodies.length,
    headers: { authorization: `Bearer ${SERVER_KEY}`, "content-type": "application/json" },
    shot: (i) => ({ method: "POST", path: `/v1/games/${game}/scores/batch`, body: bodies[i] ?? "" }),
  });
  return result.perSecond * size;
}

export async function benchBatches(
  bench: BenchStack,
  rounds: number,
  total: number,
  say: (line: string) => void,
): Promise<Section> {
  let seed = 100;
  let referenceRound = 0;
  const results = await inTurn(
    rounds,
    {
      reference: () => reference(bench, ++referenceRound, total),
      ...Object.fromEntries(SIZES.map((size) => [String(size), () => batches(bench, ++seed, size, total)])),
    },
    say,
  );
  const home = results["reference"] ?? [];
  const lines: Line[] = [{ name: "home-made way, not durable", unit: "submissions/s", figure: figure(home) }];
  for (const size of SIZES) {
    const own = results[String(size)] ?? [];
    const largest = size === SIZES.at(-1);
    lines.push(
      {
        name: `durable batches of ${size}`,
        unit: "submissions/s",
        figure: figure(own),
        goal: largest ? { atLeast: 25_000 } : undefined,
      },
      {
        name: `batches of ${size} to the home-made way`,
        unit: "ratio",
        figure: figure(own.map((value, i) => value / (home[i] ?? Number.NaN))),
        goal: largest ? { atLeast: 2 } : undefined,
      },
    );
  }
  return { title: "Batches", lines };
}
