/**
 * `npm run test:upstash-lua`: the lanes that go through the ranking library, on a redis-server whose functions run on
 * gopher-lua. Other lanes may be named: `npm run test:upstash-lua -- lua`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { redisBinary } from "../../local/components/redis-binary.ts";

const LANES = ["lua", "http", "model", "cron"];
const ROOT = path.resolve(import.meta.dirname, "../..");
const GO_PATH = "/usr/share/gocode";
const NEEDED = ["/usr/bin/go", path.join(GO_PATH, "src/github.com/yuin/gopher-lua")];
const PACKAGES = ["golang-go", "golang-github-yuin-gopher-lua-dev"];

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>>): void {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: "inherit", env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
}

/** Installs Go and gopher-lua by apt-get when they are missing; says how to get them when that cannot be done. */
function ensureGo(): void {
  if (NEEDED.every((file) => existsSync(file))) return;
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", ...PACKAGES]]) {
    const [command = "", ...rest] = [...sudo, "apt-get", ...args];
    console.log(`${command} ${rest.join(" ")} (this lane needs Go and gopher-lua) …`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    if (spawnSync(command, rest, { stdio: ["ignore", "ignore", "inherit"], env }).status === 0) continue;
    console.error(`Install the Debian packages ${PACKAGES.join(" and ")}, and try again.`);
    process.exit(1);
  }
}

ensureGo();
const real = redisBinary(console.log);
const out = mkdtempSync(path.join(tmpdir(), "edgeboard-upstash-lua-"));
process.once("exit", () => rmSync(out, { recursive: true, force: true }));
const sources = ["main", "call", "library", "resp", "values"].map((name) =>
  path.join(import.meta.dirname, `${name}.go`),
);
run("go", ["build", "-o", path.join(out, "redis-server"), ...sources], { GO111MODULE: "off", GOPATH: GO_PATH });

const named = process.argv.slice(2);
run(process.execPath, [path.join(ROOT, "test", "run.ts"), ...(named.length > 0 ? named : LANES)], {
  PATH: `${out}:${process.env["PATH"] ?? ""}`,
  REAL_REDIS_SERVER: real,
});
