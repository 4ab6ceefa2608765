/** A closed-loop load on loopback: a fixed number of clients, each with one request on its way. Bounded in count. */
import http from "node:http";

export type Shot = { readonly method: string; readonly path: string; readonly body?: string };

export type LoadResult = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
};

export type Load = {
  readonly baseUrl: string;
  readonly clients: number;
  readonly count: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly shot: (i: number) => Shot;
};

const percentile = (sorted: Float64Array, share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Fires the load and measures it. Throws when an answer is not 2xx: a benchmark of errors says nothing. */
export async function fire(load: Load): Promise<LoadResult> {
  const { hostname, port } = new URL(load.baseUrl);
  const agent = new http.Agent({ keepAlive: true, maxSockets: load.clients });
  const latencies = new Float64Array(load.count);
  let next = 0;

  function send(shot: Shot): Promise<void> {
    return new Promise((resolve, reject) => {
      const request = http.request(
        { hostname, port, agent, method: shot.method, path: shot.path, headers: load.headers },
        (response) => {
          response.resume();
          response.once("end", () => {
            const status = response.statusCode ?? 0;
            if (status >= 200 && status < 300) resolve();
            else reject(new Error(`${shot.method} ${shot.path} answered ${status}`));
          });
        },
      );
      request.once("error", reject);
      request.end(shot.body);
    });
  }

  async function client(): Promise<void> {
    for (let i = next++; i < load.count; i = next++) {
      const sentAt = performance.now();
      await send(load.shot(i));
      latencies[i] = performance.now() - sentAt;
    }
  }

  const startedAt = performance.now();
  await Promise.all(Array.from({ length: load.clients }, client));
  const elapsedMs = performance.now() - startedAt;
  agent.destroy();
  latencies.sort();
  return {
    perSecond: (load.count / elapsedMs) * 1000,
    p50Ms: percentile(latencies, 0.5),
    p95Ms: percentile(latencies, 0.95),
    p99Ms: percentile(latencies, 0.99),
  };
}
