/** The shared stack as tests see it. */
import { inject } from "vitest";

export type StackAddresses = {
  readonly api: string;
  readonly party: string;
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly upstashUrl: string;
  readonly upstashToken: string;
  readonly neonUrl: string;
  readonly serverKey: string;
  readonly pushSecret: string;
  readonly playerTokenSecret: string;
  readonly dataDir: string;
};

declare module "vitest" {
  interface ProvidedContext {
    stack: StackAddresses;
  }
}

/** Addresses and secrets of the stack that this lane shares. */
export function stack(): StackAddresses {
  return inject("stack");
}
