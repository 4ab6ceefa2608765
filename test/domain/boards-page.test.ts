/** docs/boards.md: what it shows is taken, and its table has every field and every kind of schedule. */
import { expect, it } from "vitest";
import { BoardDefinition } from "../../functions/contract/board-definitions.ts";
import { Schedule } from "../../functions/contract/schedules.ts";
import { blocksOf, readPage } from "../deploy/documents.ts";

const PAGE = "docs/boards.md";
const examples = blocksOf(PAGE).filter(({ info }) => info === "json");

it("has twelve definitions, each of which is taken", () => {
  expect(examples).toHaveLength(12);
  for (const { line, text } of examples) {
    const parsed = BoardDefinition.safeParse(JSON.parse(text));
    expect(parsed.error?.issues, `line ${line}`).toBeUndefined();
  }
});

it("names every field, and every kind of schedule", () => {
  const page = readPage(PAGE);
  const { rewards, ...fields } = BoardDefinition.shape;
  expect(rewards).toBeDefined();
  const missing = Object.keys(fields).filter((field) => !page.includes(`| \`${field}\` |`));
  const kinds = Schedule.options.flatMap(({ shape }) => [...shape.kind.values]);
  expect([...missing, ...kinds.filter((kind) => !page.includes(`\`${kind}\``))]).toEqual([]);
  expect(kinds.length).toBeGreaterThan(8);
});
