/** The command line of the test run. */
import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { LANES } from "./lanes.ts";

export const USAGE = `usage: npm test -- [<lane> | <file>]… [--name <text>] [--long] [--shuffle]

Without lanes or files: the static checks and every test. Closes with \`N passed, N failed\`.
  <lane>         only these folders of test/: ${LANES.join(", ")}
  <file>         only these files, such as test/http/top.test.ts
  --name, -t     only tests whose name, that of its describe blocks in front, matches this text (a regular expression)
  --long         also the long runs
  --shuffle      tests in a random order; it prints the seed`;

export type Selection = {
  readonly lane: string;
  /** What a file's path from the clone's root has to hold. */
  readonly filters: readonly string[];
};

export type RunOptions = {
  /** Undefined: everything, the static checks too. */
  readonly only: readonly Selection[] | undefined;
  readonly name: string | undefined;
  readonly long: boolean;
  readonly shuffle: boolean;
};

/** The lane of a test file, and its path from the clone's root. */
function fileIn(root: string, text: string): { lane: string; file: string } | undefined {
  const file = [path.resolve(text), path.resolve(root, text), path.resolve(root, "test", text)].find(
    (one) => one.endsWith(".test.ts") && existsSync(one),
  );
  const fromRoot = file === undefined ? "" : path.relative(root, file);
  const lane = LANES.find((one) => fromRoot.startsWith(path.join("test", one, path.sep)));
  return lane === undefined ? undefined : { lane, file: fromRoot };
}

function select(root: string, wanted: readonly string[]): Selection[] {
  const chosen = new Map<string, string[]>();
  for (const text of wanted) {
    const found = LANES.includes(text) ? { lane: text, file: `test/${text}/` } : fileIn(root, text);
    if (found === undefined) throw new Error(`there is no lane and no test file "${text}"`);
    chosen.set(found.lane, [...(chosen.get(found.lane) ?? []), found.file]);
  }
  return [...chosen].map(([lane, filters]) => ({ lane, filters }));
}

/** Throws with what is wrong. */
export function parseOptions(root: string, args: readonly string[]): RunOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: { type: "string", short: "t" },
      long: { type: "boolean", default: false },
      shuffle: { type: "boolean", default: false },
    },
  });
  const { name, long, shuffle } = values;
  if (name === "") throw new Error("--name needs a text");
  return { only: positionals.length === 0 ? undefined : select(root, positionals), name, long, shuffle };
}
