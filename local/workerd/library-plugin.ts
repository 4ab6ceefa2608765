import type { Plugin } from "esbuild";
import { libraryText } from "../../lua/library.ts";

/** Gives a bundle of the Worker the ranking library as its parts are now, where wrangler takes the file that lua/build.ts wrote. */
export const libraryPlugin = (library = libraryText()): Plugin => ({
  name: "ranking-library",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/lua\/dist\/leaderboard\.lua$/ }, ({ path }) => ({ path, namespace: "ranking-library" }));
    onLoad({ filter: /.*/, namespace: "ranking-library" }, () => ({ contents: library, loader: "text" }));
  },
});
