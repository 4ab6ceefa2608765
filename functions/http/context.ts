/** What travels with a request. */
import type { Deps } from "../deps-type.ts";
import type { Caller } from "../services/access/callers.ts";

export type Bindings = Readonly<Record<string, unknown>>;

export type HonoEnv = {
  Bindings: Bindings;
  Variables: {
    requestId: string;
    deps: Deps;
    caller: Caller;
    /** Problem code, or what a route says of its success, for the log line. */
    outcome: string;
    submissionId: string;
  };
};
