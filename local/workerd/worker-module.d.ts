/** The Worker that wrangler.toml names as `main`; bundle.ts puts it there. */
declare module "#worker" {
  interface Context {
    waitUntil(work: Promise<unknown>): void;
  }
  const worker: {
    fetch(request: Request, bindings: Record<string, unknown>, context: Context): Response | Promise<Response>;
    scheduled?(
      controller: { readonly cron: string; readonly scheduledTime: number; noRetry(): void },
      bindings: Record<string, unknown>,
      context: Context,
    ): void | Promise<void>;
  };
  export default worker;
}
