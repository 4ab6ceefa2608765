interface Window {
  readonly startedAt: number;
  readonly used: Map<string, number>;
}

/** A rate-limit binding: at most `limit` calls a key in each fixed window of `periodSeconds`. */
export function createRateLimit(limit: number, periodSeconds: number, now: () => number) {
  const periodMs = periodSeconds * 1_000;
  let window: Window = { startedAt: 0, used: new Map() };
  return {
    async limit({ key }: { readonly key: string }): Promise<{ success: boolean }> {
      const startedAt = Math.floor(now() / periodMs) * periodMs;
      if (startedAt !== window.startedAt) window = { startedAt, used: new Map() };
      const used = (window.used.get(key) ?? 0) + 1;
      window.used.set(key, used);
      return { success: used <= limit };
    },
  };
}
