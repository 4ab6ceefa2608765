import { randomInt } from "node:crypto";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { LOOPBACK } from "./network.ts";

// Below the range from which the kernel takes ports for outgoing connections,
// so that the port of a component that is being restarted is still free.
const FIRST_PORT = 20_000;
const LAST_PORT = 30_000;
const FIRST_UNPRIVILEGED = 1_024;

/** Longer than anything takes from choosing its port to listening there. */
const CLAIM_MS = 120_000;
const CLAIMS = path.join(tmpdir(), `edgeboard-ports-${process.getuid?.() ?? "all"}`);

/** A port that is free on loopback now, and that no other stack of this user has just chosen. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (claim(port) && (await isFree(port))) return port;
  }
}

/** Stacks that start at the same moment would choose the same port once in a while: the component listens later. */
function claim(port: number): boolean {
  const file = path.join(CLAIMS, String(port));
  mkdirSync(CLAIMS, { recursive: true });
  const claimedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - claimedAt < CLAIM_MS) return false;
  rmSync(file, { force: true });
  try {
    writeFileSync(file, "", { flag: "wx" });
    return true;
  } catch {
    return false; // another process was faster
  }
}

/** Throws a message that names the port and the variable to change when the port is taken. */
export async function requireFree(port: number, variable: string): Promise<void> {
  if (await isFree(port)) return;
  if (port < FIRST_UNPRIVILEGED && process.getuid?.() !== 0)
    throw new Error(
      `port ${port} may be used by root only. Choose one above ${FIRST_UNPRIVILEGED - 1} with ${variable}=…`,
    );
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
