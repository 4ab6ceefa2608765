/** Runs the commands that README.md and docs/ show, as they stand there, against a stack that runs. */
import path from "node:path";
import { describe, expect, test } from "vitest";
import { DEV_SERVER_KEY } from "../../local/env.ts";
import { ROOT } from "../../local/paths.ts";
import { stack } from "../harness/stack.ts";
import { blocksOf, isForUsers, PAGES } from "./documents.ts";
import { runCommand } from "./run-command.ts";

const blocks = PAGES.filter(isForUsers)
  .flatMap(blocksOf)
  .filter(({ info }) => info === "bash");

/** The text with this stack's address and key in place of those that `npm start` has by default. */
const here = (text: string) =>
  text.replaceAll("http://localhost:8787", stack().api).replaceAll(DEV_SERVER_KEY, stack().serverKey);

function bash(script: string) {
  const { dataDir, serverKey } = stack();
  return runCommand("bash", ["-euo", "pipefail", "-c", script], {
    cwd: ROOT,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      SERVER_KEY: serverKey,
      PATH: `${path.join(ROOT, "node_modules", ".bin")}:${process.env["PATH"]}`,
    },
  });
}

/** The blocks with curl lines of a page, in their order: one may read what the one before wrote. */
const withCurl = Map.groupBy(
  blocks.filter(({ text }) => /^curl /m.test(text)),
  ({ page }) => page,
);
const TOOL = /^npm run (doctor|rebuild|keys|badges|demo).*$/gm;
/** The demo alone is a flood, which the last test plays in small. */
const tools = [...new Set(blocks.flatMap(({ text }) => text.match(TOOL) ?? []))].filter((c) => c !== "npm run demo");

describe("curl lines", () => {
  test.each([...withCurl])("of %s succeed", async (_, found) => {
    const fail = 'curl() { command curl --silent --show-error --fail-with-body "$@"; }';
    const { code, output } = await bash(`${fail}\n${here(found.map(({ text }) => text).join("\n"))}`);
    expect(code, output).toBe(0);
  });
});

test.each(tools)("%s works", { timeout: 120_000 }, async (command) => {
  const { code, output } = await bash(command);
  expect(code, output).toBe(0);
});

test("the demo plays against a running stack", { timeout: 240_000 }, async () => {
  const { code, output } = await bash("npm run demo -- --count 200 --players 200000");
  expect(output).toContain("200 submissions of up to 200,000 players");
  expect(output).toMatch(/playing .* 200\/200 .* left/);
  expect(output).toContain("200 submissions acknowledged");
  expect(code, output).toBe(0);
});
