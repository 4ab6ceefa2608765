import { mkdirSync } from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { installed, NODE, ROOT } from "../paths.ts";
import type { ComponentSpec } from "../process/component.ts";
import { aliveAmong, workerdsOf } from "../process/table.ts";

interface PartyOptions {
  /** Where it listens: loopback unless told otherwise. */
  readonly host?: string;
  readonly port: number;
  readonly dataDir: string;
  readonly logFile: string;
  /** The room's variables and secrets. */
  readonly variables: Readonly<Record<string, string>>;
}

/** `partykit dev` with the rooms. */
export function partyComponent({ host = "127.0.0.1", port, dataDir, logFile, variables }: PartyOptions): ComponentSpec {
  const state = path.join(dataDir, "party");
  mkdirSync(state, { recursive: true });
  return {
    name: "party",
    port,
    logFile,
    command: () => ({
      file: NODE,
      args: [
        path.join(import.meta.dirname, "party-dev.ts"),
        "dev",
        "--config",
        path.join(ROOT, "partykit.json"),
        "--port",
        String(port),
        "--persist",
        state,
        "--disable-request-cf-fetch",
        "--no-hotkeys",
      ],
      // workerd does not load modules from outside of the folder it is started in.
      cwd: ROOT,
      env: {
        CI: "1",
        NO_COLOR: "1",
        PARTY_VARIABLES: JSON.stringify(variables),
        // partykit listens on all interfaces and has no option for it.
        MINIFLARE_WORKERD_PATH: path.join(import.meta.dirname, "workerd-on-host.sh"),
        WORKERD_HOST: host,
        REAL_WORKERD: workerdBinary(),
      },
    }),
    probe: async () =>
      void (await (await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5_000) })).arrayBuffer()),
    // partykit does not notice that its workerd died.
    watch: (group) => aliveAmong(() => workerdsOf(group)),
    readyTimeoutMs: 60_000,
    stopSignal: "SIGTERM",
    graceMs: 5_000,
  };
}

/** The workerd that partykit's own miniflare brings, found the way miniflare finds it. */
function workerdBinary(): string {
  const fromPartykit = createRequire(installed("partykit", "package.json"));
  const fromMiniflare = createRequire(fromPartykit.resolve("miniflare"));
  const fromWorkerd = createRequire(fromMiniflare.resolve("workerd"));
  const architecture = process.arch === "arm64" ? "arm64" : "64";
  return fromWorkerd.resolve(`@cloudflare/workerd-${process.platform}-${architecture}/bin/workerd`);
}
