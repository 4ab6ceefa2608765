import { randomInt } from "node:crypto";
import { createServer } from "node:net";

// Below the range from which the kernel takes ports for outgoing connections,
// so that the port of a component that is being restarted is still free.
const FIRST_PORT = 20_000;
const LAST_PORT = 30_000;
const LOOPBACK = "127.0.0.1";

/** A port that is free on loopback now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) return port;
  }
}

/** Throws a message that names the port and the variable to change when the port is taken. */
export async function requireFree(port: number, variable: string): Promise<void> {
  if (await isFree(port)) return;
  throw new Error(
    `port ${port} is busy: another program listens there. Stop it, or choose another port with ${variable}=${port + 10}`,
  );
}

async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, LOOPBACK)) && (await canListen(port, "0.0.0.0"));
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
