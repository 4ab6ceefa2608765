/** Runs `work` at most once every `ms`, never twice at a time, and once more when it was asked for meanwhile. */
export function throttled(work: () => Promise<void>, ms: number): () => void {
  let wanted = false;
  let busy = false;
  const run = async (): Promise<void> => {
    wanted = false;
    busy = true;
    await work();
    setTimeout(() => {
      busy = false;
      if (wanted) void run();
    }, ms);
  };
  return () => {
    wanted = true;
    if (!busy) void run();
  };
}
