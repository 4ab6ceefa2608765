export type Throttled = {
  /** Now, or when the rest is over. */
  readonly soon: () => void;
  /** At once: the viewer waits for it. */
  readonly now: () => void;
};

/** Runs `work` and then lets it rest for `ms`; what is asked for meanwhile leads to one more run. */
export function throttled(work: () => Promise<void>, ms: number): Throttled {
  let wanted = false;
  let busy = false;
  let runs = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;
  const run = async (): Promise<void> => {
    runs += 1;
    const mine = runs;
    wanted = false;
    busy = true;
    clearTimeout(rest);
    await work();
    if (mine !== runs) return;
    rest = setTimeout(() => {
      busy = false;
      if (wanted) void run();
    }, ms);
  };
  return {
    soon: () => {
      wanted = true;
      if (!busy) void run();
    },
    now: () => void run(),
  };
}
