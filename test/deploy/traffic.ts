/** Submissions that go on while something else happens, as a game server sends them: the same key until it is ranked. */
import { ScoreResponse } from "../../functions/contract/scores.ts";

export type Traffic = {
  /** From now on submissions go to these addresses, one after the other; resolves when none is on its way elsewhere. */
  route(...apis: readonly string[]): Promise<void>;
  readonly accepted: () => number;
  /** Ends it; what went wrong, and points by player. */
  stop(): Promise<{ readonly problems: readonly string[]; readonly bests: ReadonlyMap<string, number> }>;
};

const CLIENTS = 3;
const PLAYERS = 40;
const ATTEMPTS = 20;

export function startTraffic(game: string, serverKey: string, first: string): Traffic {
  const problems: string[] = [];
  const bests = new Map<string, number>();
  let apis: readonly string[] = [first];
  let [sent, accepted] = [0, 0];
  const ending = new AbortController();

  async function submit(number: number): Promise<void> {
    const player = `player-${number % PLAYERS}`;
    // Rises and falls, with ties.
    const points = (number * 7919) % 1000;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const api = apis[(number + attempt) % apis.length] ?? first;
      const response = await fetch(`${api}/v1/games/${game}/scores`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${serverKey}`,
          "content-type": "application/json",
          "idempotency-key": `s-${number}`,
        },
        body: JSON.stringify({ player, points, country: number % 3 === 0 ? "DE" : "XX" }),
      });
      const text = await response.text();
      if (!response.ok) return void problems.push(`${response.status} ${text.slice(0, 200)}`);
      bests.set(player, Math.max(points, bests.get(player) ?? 0));
      accepted += attempt === 0 ? 1 : 0;
      if (ScoreResponse.parse(JSON.parse(text)).ranked) return;
    }
    problems.push(`s-${number} was not ranked in ${ATTEMPTS} attempts`);
  }

  const inFlight = new Set<Promise<void>>();
  async function client(): Promise<void> {
    while (!ending.signal.aborted) {
      const one = submit(sent++).catch((error: unknown) => void problems.push(String(error)));
      inFlight.add(one);
      await one;
      inFlight.delete(one);
    }
  }

  const clients = Array.from({ length: CLIENTS }, client);
  return {
    async route(...to) {
      apis = to;
      await Promise.all(inFlight);
    },
    accepted: () => accepted,
    async stop() {
      ending.abort();
      await Promise.all(clients);
      return { problems, bests };
    },
  };
}
