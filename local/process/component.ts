import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "../failure.ts";
import { endGroup, signalGroup } from "./group.ts";

const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5_000;
const STABLE_AFTER_MS = 10_000;
const PROBE_INTERVAL_MS = 40;
const WATCH_INTERVAL_MS = 500;
const LAST_LINES = 12;
const START_ATTEMPTS = 2;

class EndedWhileStarting extends Error {}

/** What to run; asked for anew at every start. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
}

/** How one component of the stack is started, probed and stopped. */
export interface ComponentSpec {
  readonly name: string;
  readonly port: number;
  readonly logFile: string;
  readonly command: () => Command | Promise<Command>;
  /** Throws until the component answers. */
  readonly probe: () => Promise<void>;
  /**
   * For a program that outlives a child it cannot do without: looks at the group once it is ready and returns a check
   * whether it is still whole. Two checks in a row that say no count as its death.
   */
  readonly watch?: (group: number) => () => boolean;
  readonly readyTimeoutMs: number;
  readonly stopSignal: NodeJS.Signals;
  readonly graceMs: number;
}

/** Where a component reports to. */
export interface ComponentEvents {
  readonly say: (line: string) => void;
  /** A new process runs (first start and every restart). */
  readonly started: () => void;
}

type State = "new" | "running" | "recovering" | "stopping";

/** A child process in a group of its own, started again on its port whenever it dies. */
export class Component {
  readonly name: string;
  readonly #spec: ComponentSpec;
  readonly #events: ComponentEvents;
  #child: ChildProcess | undefined;
  #state: State = "new";
  #backoffMs = FIRST_BACKOFF_MS;
  #recovery: Promise<void> = Promise.resolve();
  readonly #stopped = new AbortController();

  constructor(spec: ComponentSpec, events: ComponentEvents) {
    this.name = spec.name;
    this.#spec = spec;
    this.#events = events;
  }

  get port(): number {
    return this.#spec.port;
  }

  /** The group leader's pid; 0 while there is none. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts the component and resolves when it answers; a start that fails is tried again before it is given up. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#launch();
        this.#watch();
        return;
      } catch (error) {
        if (attempt === START_ATTEMPTS || this.#stopped.signal.aborted || !(error instanceof EndedWhileStarting))
          throw error;
        this.#events.say(error.message);
        if (this.pid > 0) await endGroup(this.pid, "SIGKILL", this.#spec.graceMs);
      }
    }
  }

  /** Ends the component and everything it started, for good. */
  async stop(): Promise<void> {
    this.#state = "stopping";
    this.#stopped.abort();
    await this.#recovery;
    const child = this.#child;
    if (child?.pid === undefined) return;
    await endGroup(child.pid, this.#spec.stopSignal, this.#spec.graceMs);
    // Waiting for the event lets Node collect the leader, which would else stay behind as a zombie.
    if (!hasEnded(child)) await once(child, "exit");
  }

  /**
   * Starts the component anew with what its command prepares now, once the present process has ended in its own time. Rejects,
   * and leaves that process alone, when the command cannot be prepared.
   */
  async replace(): Promise<void> {
    if (this.#state !== "running") return;
    const command = await this.#spec.command();
    if (this.#state !== "running") return;
    this.#state = "recovering";
    this.#recovery = this.#exchange(command);
    await this.#recovery;
  }

  /** Signals the component's leader only, as a crash or a test would; it comes back by itself. */
  kill(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends the whole group at once and for good, without grace. */
  killGroup(): void {
    this.#state = "stopping";
    this.#stopped.abort();
    if (this.pid > 0) signalGroup(this.pid, "SIGKILL");
  }

  async #exchange(command: Command): Promise<void> {
    if (this.pid > 0) await endGroup(this.pid, this.#spec.stopSignal, this.#spec.graceMs);
    try {
      await this.#launch(command);
      this.#watch();
    } catch (error) {
      await this.#recover(reasonOf(error));
    }
  }

  async #launch(command?: Command): Promise<void> {
    const child = await this.#spawn(command ?? (await this.#spec.command()));
    this.#child = child;
    this.#events.started();
    await this.#untilReady(child);
  }

  /** From now on the death of the current process starts a recovery. */
  #watch(): void {
    const child = this.#child;
    if (child === undefined || this.#stopped.signal.aborted) return;
    this.#state = "running";
    const startedAt = Date.now();
    const onDeath = (reason: string): void => {
      if (this.#state !== "running") return;
      if (Date.now() - startedAt > STABLE_AFTER_MS) this.#backoffMs = FIRST_BACKOFF_MS;
      this.#recovery = this.#recover(reason);
    };
    const onExit = (): void => onDeath(child.signalCode ?? `exit code ${child.exitCode}`);
    if (hasEnded(child)) return onExit();
    child.once("exit", onExit);
    this.#watchGroup(child, () => onDeath("a process it needs is gone"));
  }

  #watchGroup(child: ChildProcess, onBroken: () => void): void {
    const isWhole = this.#spec.watch?.(child.pid ?? 0);
    if (isWhole === undefined) return;
    let misses = 0;
    const timer = setInterval(() => {
      if (this.#state !== "running" || this.#child !== child) return clearInterval(timer);
      misses = isWhole() ? 0 : misses + 1;
      if (misses > 1) onBroken();
    }, WATCH_INTERVAL_MS);
    timer.unref();
  }

  async #spawn({ file, args, env, ...rest }: Command): Promise<ChildProcess> {
    const log = openSync(this.#spec.logFile, "a", 0o600);
    try {
      const child = spawn(file, args, {
        ...rest,
        env: { ...process.env, ...env },
        detached: true,
        stdio: ["ignore", log, log],
      });
      await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
      return child;
    } finally {
      closeSync(log);
    }
  }

  async #untilReady(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + this.#spec.readyTimeoutMs;
    for (;;) {
      if (this.#stopped.signal.aborted) throw new Error(`${this.name} was stopped while starting`);
      if (hasEnded(child)) {
        throw new EndedWhileStarting(`${this.name} ended while starting: ${this.#lastWords()}`);
      }
      try {
        await this.#spec.probe();
        return;
      } catch (error) {
        if (Date.now() > deadline) throw new Error(this.#silence(error), { cause: error });
      }
      await sleep(PROBE_INTERVAL_MS);
    }
  }

  /** The end of the log: often all that one needs to know. */
  #lastWords(): string {
    const lines = readFileSync(this.#spec.logFile, "utf8").trimEnd().split("\n");
    return `${lines.slice(-LAST_LINES).join("\n")}\n(from ${this.#spec.logFile})`;
  }

  #silence(error: unknown): string {
    return `${this.name} does not answer after ${this.#spec.readyTimeoutMs / 1_000} s: ${reasonOf(error)} (see ${this.#spec.logFile})`;
  }

  async #recover(reason: string): Promise<void> {
    this.#state = "recovering";
    this.#events.say(`${this.name} died (${reason}); starting it again on port ${this.port}`);
    const diedAt = Date.now();
    while (!this.#stopped.signal.aborted) {
      // What the dead leader left behind would still hold the port.
      if (this.pid > 0) await endGroup(this.pid, "SIGKILL", this.#spec.graceMs);
      await sleep(this.#backoffMs, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
      if (this.#stopped.signal.aborted) return;
      this.#backoffMs = Math.min(this.#backoffMs * 2, MAX_BACKOFF_MS);
      try {
        await this.#launch();
        this.#events.say(
          `${this.name} is back on port ${this.port} after ${((Date.now() - diedAt) / 1_000).toFixed(1)} s`,
        );
        this.#watch();
        return;
      } catch (error) {
        if (!this.#stopped.signal.aborted)
          this.#events.say(`${this.name} did not come back: ${reasonOf(error)}; trying again`);
      }
    }
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
