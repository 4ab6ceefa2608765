import path from "node:path";
import { NODE } from "../paths.ts";
import type { ComponentSpec } from "../process/component.ts";

interface EndpointOptions {
  readonly port: number;
  readonly logFile: string;
}

/** The Upstash-compatible endpoint in front of a redis-server. */
export function upstashComponent(options: EndpointOptions & { redisUrl: string; token: string }): ComponentSpec {
  const { port, redisUrl, token } = options;
  return endpoint("upstash", options, {
    UPSTASH_PORT: String(port),
    UPSTASH_TOKEN: token,
    UPSTREAM_REDIS_URL: redisUrl,
  });
}

/** The Neon-compatible endpoint in front of a Postgres server. */
export function neonComponent(options: EndpointOptions & { databaseUrl: string }): ComponentSpec {
  return endpoint("neon", options, { NEON_PORT: String(options.port), UPSTREAM_DATABASE_URL: options.databaseUrl });
}

function endpoint(
  name: "upstash" | "neon",
  { port, logFile }: EndpointOptions,
  env: Record<string, string>,
): ComponentSpec {
  const file = path.join(import.meta.dirname, "..", name, "server.ts");
  return {
    name,
    port,
    logFile,
    command: () => ({ file: NODE, args: ["--disable-warning=ExperimentalWarning", file], env }),
    probe: async () => void (await (await fetch(`http://127.0.0.1:${port}/__stats`)).arrayBuffer()),
    readyTimeoutMs: 15_000,
    stopSignal: "SIGTERM",
    graceMs: 5_000,
  };
}
