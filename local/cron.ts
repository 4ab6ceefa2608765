const RUN_TIMEOUT_MS = 60_000;
// A run is safe to cut short; a stack that stops does not wait for all of it.
const STOP_GRACE_MS = 3_000;

/** The local stand-in for Cloudflare's cron trigger. */
export interface LocalCron {
  readonly stop: () => Promise<void>;
}

/** Fires the Worker's scheduled handler every `seconds`, never two runs at once; a failed run is one line. */
export function startCron({
  api,
  seconds,
  say,
}: {
  api: string;
  seconds: number;
  say: (line: string) => void;
}): LocalCron {
  const stopped = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      const response = await fetch(`${api}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`, {
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(RUN_TIMEOUT_MS)]),
      });
      const answer = await response.text();
      if (!response.ok)
        say(`cron: the run was answered with ${response.status} ${answer.slice(0, 200).replaceAll("\n", " ")}`);
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
      const grace = setTimeout(() => stopped.abort(new Error("the stack stops")), STOP_GRACE_MS);
      await running;
      clearTimeout(grace);
    },
  };
}
