import type { Server } from "node:http";

/** Listens on loopback; on SIGTERM or SIGINT lets the requests in flight finish and exits. */
export function runUntilSignalled(server: Server, port: number): void {
  server.listen({ port, host: "127.0.0.1" });
  const finish = (): void => {
    server.close(() => process.exit(0));
    server.closeIdleConnections();
  };
  process.once("SIGTERM", finish);
  process.once("SIGINT", finish);
}
