const RUN_TIMEOUT_MS = 60_000;

/** The local stand-in for Cloudflare's cron trigger. */
export interface LocalCron {
  readonly stop: () => Promise<void>;
}

/** Fires the Worker's scheduled handler every `seconds`, never two runs at once; a failed run is one line. */
export function startCron({ api, seconds, say }: { api: string; seconds: number; say: (line: string) => void }): LocalCron {
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      const response = await fetch(`${api}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`, { signal: AbortSignal.timeout(RUN_TIMEOUT_MS) });
      const answer = await response.text();
      if (!response.ok) say(`cron: the run was answered with ${response.status} ${answer.slice(0, 200).replaceAll("\n", " ")}`);
    } catch (error) {
      say(`cron: the run failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  const timer = setInterval(() => {
    running ??= run().finally(() => (running = undefined));
  }, seconds * 1_000);

  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
