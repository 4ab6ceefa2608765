import { watch } from "node:fs";
import path from "node:path";
import { WRANGLER_TOML } from "../components/worker.ts";
import { ROOT } from "../paths.ts";
import type { Component } from "../process/component.ts";
import { readWranglerToml } from "./wrangler-toml.ts";

/** Editors write a file in several steps. */
const SETTLE_MS = 150;

/** What page and ranking library are made of, beside what wrangler.toml names: wrangler must not watch folders that its build writes into. */
const MORE_FOLDERS = ["client", "web", "lua"].map((folder) => path.join(ROOT, folder));
const BUILT = ["web", "lua"].map((folder) => path.join(ROOT, folder, "dist"));

/** Loads the Worker anew whenever its source changes; a source that does not build is said and the present one stays. */
export function watchSource(worker: Component, say: (line: string) => void): () => void {
  const folders = [...new Set([...readWranglerToml(WRANGLER_TOML).watched, ...MORE_FOLDERS])];
  let settling: NodeJS.Timeout | undefined;

  async function reload(): Promise<void> {
    const startedAt = Date.now();
    try {
      await worker.replace();
      say(`worker loaded anew after a change of its source, ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
    } catch (error) {
      say(`the changed worker does not build, the present one stays: ${firstLines(error)}`);
    }
  }

  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true, persistent: false }, (_, name) => {
      if (name === null || BUILT.some((built) => path.join(folder, name).startsWith(built))) return;
      clearTimeout(settling);
      settling = setTimeout(() => void reload(), SETTLE_MS);
    }),
  );
  return () => {
    clearTimeout(settling);
    for (const watcher of watchers) watcher.close();
  };
}

function firstLines(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n").slice(0, 3).join(" ");
}
