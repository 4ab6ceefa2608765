import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ScoreRequest, ScoreResponse } from "../../functions/contract/scores.ts";
import { Entry, TopResponse } from "../../functions/contract/boards.ts";
import { Problem } from "../../functions/contract/problem.ts";
import { NODE, ROOT } from "../../local/paths.ts";
import { call, freshGame, freshGameId } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";
import { runCommand } from "./run-command.ts";

const EXAMPLES = path.join(ROOT, "docs", "examples");
const read = (name: string) => readFileSync(path.join(EXAMPLES, name), "utf8");

function run(command: string, args: readonly string[], game: string) {
  const { api, serverKey, dataDir } = stack();
  return runCommand(command, args, {
    timeout: 60_000,
    env: { ...process.env, API: api, KEY: serverKey, GAME: game, DATA_DIR: dataDir },
  });
}

test("curl.sh calls every public route and gets an answer", async () => {
  const { code, output } = await run("bash", [path.join(EXAMPLES, "curl.sh")], freshGameId());
  expect(output).toContain('"player":"ada","points":1200');
  expect(output).toContain('"competitionRank":2');
  expect(code, output).toBe(0);
});

test("typescript.ts submits, reads and sees the live board", async () => {
  const game = freshGameId();
  await call(`/v1/games/${game}`, { method: "PUT", body: {} });
  const { code, output } = await run(NODE, [path.join(EXAMPLES, "typescript.ts")], game);
  expect(output).toContain("ada is #1 of 1");
  expect(output).toContain("1. mei 1900\n2. ada 1500\n3. bob 900");
  expect(output).toContain("not ranked yet");
  expect(output).toContain("live: mei, ada, bob");
  expect(code, output).toBe(0);
});

test("typescript.ts ends also when none of its players is in the top 10", async () => {
  const game = freshGameId();
  await call(`/v1/games/${game}`, { method: "PUT", body: {} });
  const submissions = Array.from({ length: 10 }, (_, index) => ({ player: `pro-${index}`, points: 1_000_000 - index }));
  await call(`/v1/games/${game}/scores/batch`, { body: { submissions } });
  const { code, output } = await run(NODE, [path.join(EXAMPLES, "typescript.ts")], game);
  expect(output).toContain("live: pro-0, pro-1");
  expect(code, output).toBe(0);
});

test("player-token.mjs signs a token that submits for its player and its game alone", async () => {
  const [game, other] = [await freshGame(), await freshGame()];
  const { code, output } = await run(NODE, [path.join(EXAMPLES, "player-token.mjs"), game, "ada"], game);
  expect(code, output).toBe(0);
  const key = output.trim();
  const submit = (to: string, player: string) =>
    call(`/v1/games/${to}/scores`, { key, body: { player, points: 1200 } });
  expect(await submit(game, "ada")).toMatchObject({ status: 201, body: { player: "ada" } });
  expect((await submit(game, "bob")).status).toBe(403);
  expect([401, 403]).toContain((await submit(other, "ada")).status);
});

/** The text without comments and strings: what is left must have its brackets in pairs. */
function bare(text: string, comment: RegExp): string {
  return text.replace(/\$?"(?:[^"\\\n]|\\.)*"/g, '""').replace(comment, "");
}

function unbalanced(text: string): string {
  const open: string[] = [];
  const pairs: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
  for (const character of text) {
    if ("([{".includes(character)) open.push(character);
    else if (character in pairs && open.pop() !== pairs[character]) return `a stray ${character}`;
  }
  return open.join("");
}

const routesOf = (text: string) => [...text.matchAll(/\/v1\/games\/[^"?\s]+/g)].map(([route]) => route);
const described = async () => Object.keys((await document()).paths);

async function document(): Promise<{ paths: Record<string, unknown> }> {
  const { body } = await call("/openapi.json", { key: null });
  return body as { paths: Record<string, unknown> };
}

describe("EdgeboardClient.cs (not compiled here)", () => {
  const text = read("EdgeboardClient.cs");

  test("closes every bracket and string", () => {
    const code = bare(text, /\/\/.*$/gm);
    expect(code).not.toContain('"'.repeat(3));
    expect(unbalanced(code)).toBe("");
  });

  test("calls routes that exist", async () => {
    const paths = await described();
    const routes = routesOf(text).map((route) => route.replace("/boards/current/", "/boards/{board}/"));
    expect(routes.length).toBe(2);
    expect(routes.filter((route) => !paths.includes(route))).toEqual([]);
  });

  test("its classes have only fields that the contract has", () => {
    const schemas = { ScoreRequest, ScoreResponse, Entry, TopResponse, Problem };
    for (const [name, schema] of Object.entries(schemas)) {
      const body = new RegExp(`class ${name}\\s*\\{([^}]*)\\}`).exec(text)?.[1] ?? "";
      const fields = [...body.matchAll(/public [\w[\]]+ (\w+);/g)].map((match) => match[1] ?? "");
      expect(fields.length, name).toBeGreaterThan(1);
      expect(
        fields.filter((field) => !(field in schema.shape)),
        name,
      ).toEqual([]);
    }
  });
});

describe("edgeboard.gd (not run here)", () => {
  const text = read("edgeboard.gd");

  test("closes every bracket and string, and indents with tabs", () => {
    expect(unbalanced(bare(text, /#.*$/gm))).toBe("");
    expect(text).not.toMatch(/^ +\S/m);
  });

  test("a line that ends with a colon opens a block", () => {
    const lines = bare(text, /#.*$/gm)
      .split("\n")
      .filter((line) => line.trim() !== "");
    const depth = (line = "") => /^\t*/.exec(line)?.[0].length ?? 0;
    const wrong = lines.filter((line, i) => line.trimEnd().endsWith(":") && depth(lines[i + 1]) !== depth(line) + 1);
    expect(wrong).toEqual([]);
  });

  test("calls routes that exist and reads fields that the contract has", async () => {
    const paths = await described();
    const routes = routesOf(text).map((route) => route.replace("%s", "{game}").replace("/current/", "/{board}/"));
    expect(routes.length).toBe(2);
    expect(routes.filter((route) => !paths.includes(route))).toEqual([]);
    expect("retryAfterSeconds" in Problem.shape && "detail" in Problem.shape && "entries" in TopResponse.shape).toBe(
      true,
    );
  });
});
