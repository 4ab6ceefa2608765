const RUN_TIMEOUT_MS = 60_000;
// A run is safe to cut short; a stack that stops does not wait for all of it.
const STOP_GRACE_MS = 3_000;

/** The local stand-in for Cloudflare's cron trigger. */
export interface LocalCron {
  readonly stop: () => Promise<void>;
}

/** Runs the Worker's scheduled handler once; a failed run is one line, never an error. */
export async function runCron({ api, say, signal }: CronOptions): Promise<void> {
  const timeout = AbortSignal.timeout(RUN_TIMEOUT_MS);
  try {
    const response = await fetch(`${api}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`, {
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const answer = await response.text();
    if (!response.ok)
      say(`cron: the run was answered with ${response.status} ${answer.slice(0, 200).replaceAll("\n", " ")}`);
  } catch (error) {
    if (signal?.aborted !== true)
      say(`cron: the run failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface CronOptions {
  readonly api: string;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Fires the scheduled handler every `seconds`, never two runs at once. */
export function startCron({ api, say, seconds }: CronOptions & { readonly seconds: number }): LocalCron {
  const stopped = new AbortController();
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= runCron({ api, say, signal: stopped.signal }).finally(() => (running = undefined));
  }, seconds * 1_000);
  return {
    stop: async () => {
      clearInterval(timer);
      const grace = setTimeout(() => stopped.abort(), STOP_GRACE_MS);
      await running;
      clearTimeout(grace);
    },
  };
}
