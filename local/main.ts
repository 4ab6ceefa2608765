import { SEED_GAME } from "./seed.ts";
import { DEV_SERVER_KEY, parseStackEnvironment, type StackEnvironment } from "./env.ts";
import { reasonOf } from "./failure.ts";
import { LOOPBACK, networkAddresses } from "./network.ts";
import { startStack, type Stack } from "./stack.ts";
import { watchSource } from "./workerd/watch-source.ts";

// One Ctrl-C reaches this process up to three times: from the terminal, from npm and from start.mjs.
const SAME_KEYPRESS_MS = 1_000;
const startedAt = Date.now();

function say(line: string): void {
  console.log(`[${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(5)} s] ${line}`);
}

/** What to know when the network reaches the stack, and where a phone finds it. */
function networkLines({ host, port, serverKey }: StackEnvironment): string[] {
  if (host === LOOPBACK) return [];
  const addresses = networkAddresses();
  if (addresses.length === 0) return ["Network     none: this machine has no address that another device could use"];
  return [
    ...addresses.map((address) => `Network     http://${address}:${port}/?game=${SEED_GAME}`),
    `WARNING     Everybody in this network reaches API, page and rooms${
      serverKey === DEV_SERVER_KEY
        ? ", and everybody knows the server key above: set SERVER_KEY to one of your own"
        : ""
    }.`,
  ];
}

function announce(environment: StackEnvironment): void {
  const { port, serverKey, dataDir } = environment;
  console.log(
    [
      `ready http://localhost:${port}`,
      "",
      "Post a score:",
      `  curl -X POST http://localhost:${port}/v1/games/${SEED_GAME}/scores -H 'authorization: Bearer ${serverKey}' -H 'content-type: application/json' -d '{"player":"ada","points":1200}'`,
      "",
      `Live page   http://localhost:${port}/?game=${SEED_GAME}`,
      `Server key  ${serverKey}`,
      `Player      npm run keys -- token --game ${SEED_GAME} --player ada   (prints a token that submits as ada)`,
      ...networkLines(environment),
      `Logs        ${dataDir}/logs`,
      "Stop        Ctrl-C",
    ].join("\n"),
  );
}

/** Stops the stack on a signal, also while it starts; a second one hurries. */
function stopOnSignal(starting: AbortController, stack: () => Stack | undefined): void {
  let firstAt: number | undefined;
  const onSignal = (reason: string): void => {
    if (firstAt !== undefined && Date.now() - firstAt < SAME_KEYPRESS_MS) return;
    say(
      firstAt === undefined
        ? `${reason}: requests in flight finish, then everything stops (again to hurry)`
        : `${reason} again: stopping at once`,
    );
    firstAt ??= Date.now();
    const running = stack();
    if (running === undefined) starting.abort();
    else void running.stop().then(exitStopped);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => onSignal(signal));
  // start.mjs was killed: Ctrl-C could not stop this process any more.
  process.on("disconnect", () => onSignal("the starting process ended"));
}

function exitStopped(): void {
  say("stopped");
  process.exit(0);
}

const starting = new AbortController();
let stack: Stack | undefined;
try {
  const environment = parseStackEnvironment(process.env);
  stopOnSignal(starting, () => stack);
  stack = await startStack({ ...environment, say, signal: starting.signal });
  announce(environment);
  const worker = stack.component("worker");
  if (worker !== undefined) watchSource(worker, say);
} catch (error) {
  if (starting.signal.aborted) exitStopped();
  console.error(`edgeboard could not start: ${reasonOf(error)}`);
  process.exit(1);
}
