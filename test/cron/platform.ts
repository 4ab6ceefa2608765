/** What the platform does and workerd on this machine does not: it counts what a run sends, and refuses what is too much. */

/** Runs `work`; the number of requests that it sent. Throws when it was refused one. */
export async function refusingBeyond(limit: number, work: () => Promise<unknown>): Promise<number> {
  const send = globalThis.fetch;
  let sent = 0;
  globalThis.fetch = (input, init) => {
    sent += 1;
    return sent > limit ? Promise.reject(new Error("Too many subrequests.")) : send(input, init);
  };
  try {
    await work();
  } finally {
    globalThis.fetch = send;
  }
  if (sent > limit) throw new Error(`${sent} requests, ${limit} are allowed`);
  return sent;
}
