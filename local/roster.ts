import path from "node:path";
import { prepareDataDir } from "./data-dir.ts";
import { claim, release, remember } from "./leftovers.ts";
import { Component, type ComponentSpec } from "./process/component.ts";
import { Guard } from "./process/guard.ts";

/** The components of one DATA_DIR: starts them, notes their pids, stops them. */
export class Roster {
  readonly dataDir: string;
  readonly say: (line: string) => void;
  readonly #components = new Map<string, Component>();
  #onChange: () => void = () => undefined;
  #stopped = false;
  readonly #guard: Guard;

  private constructor(dataDir: string, say: (line: string) => void) {
    this.dataDir = dataDir;
    this.#guard = new Guard(dataDir);
    this.say = say;
  }

  /** Takes the DATA_DIR (made if missing); throws when another stack has it. */
  static async open(dataDir: string, say: (line: string) => void): Promise<Roster> {
    prepareDataDir(dataDir);
    await claim(dataDir, say);
    return new Roster(dataDir, say);
  }

  /** Called after every start and restart of a component. */
  set onChange(listener: () => void) {
    this.#onChange = listener;
  }

  /** The log file of a component. */
  logFile(name: string): string {
    return path.join(this.dataDir, "logs", `${name}.log`);
  }

  /** Starts a component and waits until it answers. */
  async start(spec: ComponentSpec): Promise<Component> {
    if (this.#stopped) throw new Error(`${spec.name} is not started any more: the stack stops`);
    const startedAt = Date.now();
    const component = new Component(spec, { say: this.say, started: () => this.#changed() });
    this.#components.set(spec.name, component);
    await component.start();
    this.say(
      `${spec.name.padEnd(9)} port ${String(spec.port).padEnd(6)} ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`,
    );
    return component;
  }

  /** The component, undefined when it was not started here. */
  get(name: string): Component | undefined {
    return this.#components.get(name);
  }

  /** The pid of a component; 0 when there is none. */
  pid(name: string): number {
    return this.get(name)?.pid ?? 0;
  }

  /** Stops components in turn, those of one inner list together; from now on none starts any more. Gives the DATA_DIR back. */
  async stop(order: readonly (readonly string[])[]): Promise<void> {
    this.#stopped = true;
    for (const names of order) await Promise.all(names.map((name) => this.get(name)?.stop()));
    this.#components.clear();
    release(this.dataDir);
    this.#guard.end();
  }

  /** Ends everything at once, without grace. */
  kill(): void {
    this.#stopped = true;
    for (const component of this.#components.values()) component.killGroup();
  }

  #changed(): void {
    const pids = [...this.#components.values()].map(({ pid }) => pid).filter((pid) => pid > 0);
    this.#guard.watch(pids);
    remember(this.dataDir, pids);
    this.#onChange();
  }
}
