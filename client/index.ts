/** The TypeScript client of Edgeboard, for browsers and Node (22 or newer, for its WebSocket). */
export { createClient } from "./client.ts";
export type { Client, ClientOptions, TopOptions } from "./client.ts";
export { ProblemError } from "./problem-error.ts";
export type * from "./types.ts";
export type { ConnectionState, Watch, WatchHandler } from "./watch.ts";
