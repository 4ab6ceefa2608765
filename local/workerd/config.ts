import type { LocalBinding } from "./local-binding.ts";
import { LOCAL_BINDING } from "./local-binding.ts";
import type { StaticFile } from "./static-files.ts";

export interface RuntimeConfig {
  readonly port: number;
  readonly host: string;
  readonly bundle: string;
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
  /** Names of variables that workerd takes from its own environment, so that no secret is written to a file. */
  readonly variables: readonly string[];
  readonly local: LocalBinding;
  readonly files: readonly StaticFile[];
}

/** JSON's escapes are a part of Cap'n Proto's, but for characters beyond ASCII, which pass as they are. */
const text = (value: string): string => JSON.stringify(value);

/** workerd's configuration: one Worker behind one socket of this machine, nothing in between. */
export function runtimeConfig(config: RuntimeConfig): string {
  const bindings = [
    ...config.variables.map((name) => `(name = ${text(name)}, fromEnvironment = ${text(name)})`),
    ...config.files.map(({ binding, file }) => `(name = ${text(binding)}, data = embed ${text(file)})`),
    `(name = ${text(LOCAL_BINDING)}, json = ${text(JSON.stringify(config.local))})`,
  ];
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "internet", network = (allow = ["public", "private", "local"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = ${text(`${config.host}:${config.port}`)}, http = (cfBlobHeader = "MF-CF-Blob"), service = "worker")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed ${text(config.bundle)})],
  compatibilityDate = ${text(config.compatibilityDate)},
  compatibilityFlags = [${config.compatibilityFlags.map(text).join(", ")}],
  bindings = [
    ${bindings.join(",\n    ")},
  ],
);
`;
}
