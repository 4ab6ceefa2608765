/** After sleep, a hidden tab or a lost network a socket may look open and be dead, or be open and behind. */

export type WakeHandler = {
  /** The socket may be behind. */
  readonly resync: () => void;
  /** The network is back: connect now instead of after the backoff. */
  readonly restart: () => void;
  readonly lost: () => void;
};

const CHECK_MS = 10_000;
/** A timer this late means that the machine slept. */
const JUMP_MS = 20_000;

/** Calls the handler when the page or the machine wakes up; returns what stops that. */
export function onWake({ resync, restart, lost }: WakeHandler): () => void {
  let checkedAtMs = Date.now();
  const timer = setInterval(() => {
    const nowMs = Date.now();
    if (nowMs - checkedAtMs > JUMP_MS) resync();
    checkedAtMs = nowMs;
  }, CHECK_MS);
  const onVisible = (): void => {
    if (document.visibilityState === "visible") resync();
  };
  const inPage = typeof document !== "undefined";
  if (inPage) {
    document.addEventListener("visibilitychange", onVisible);
    addEventListener("online", restart);
    addEventListener("offline", lost);
  }
  return () => {
    clearInterval(timer);
    if (!inPage) return;
    document.removeEventListener("visibilitychange", onVisible);
    removeEventListener("online", restart);
    removeEventListener("offline", lost);
  };
}
