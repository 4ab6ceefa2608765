/** Tables of docs/ that repeat what the code says, or that add up. */
import { expect, test } from "vitest";
import { SocketMessage } from "../../functions/contract/live.ts";
import { readPage } from "./documents.ts";

/** The cells of every line of a table in a page. */
const rowsOf = (page: string) =>
  readPage(page)
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const names = (text = "") => [...text.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);

test("docs/live.md names every message of a room and every field of it, and no other", () => {
  const described = rowsOf("docs/live.md").flatMap(([type = "", fields]) =>
    names(type).map((name) => [name, names(fields?.replace(/\(.*\)/, "")).sort()] as const),
  );
  const sent = SocketMessage.options.map(({ shape }) => {
    const { type, ...fields } = shape;
    return [type.value, Object.keys(fields).sort()] as const;
  });
  expect(Object.fromEntries(described)).toEqual(Object.fromEntries(sent));
});

test("docs/live.md names every field of an entry", () => {
  const top = rowsOf("docs/live.md").find(([type]) => type === "`top`")?.[1] ?? "";
  const [, inside] = /top 10: ([^)]*)/.exec(top) ?? [];
  const entry = SocketMessage.options[0].shape.entries.element.shape;
  expect(names(inside).sort()).toEqual(Object.keys(entry).sort());
});

test("the sums of docs/costs.md are those of their columns", () => {
  const amount = (cell: string) => Number(/^\**\$([\d,.]+)\**$/.exec(cell)?.[1]?.replaceAll(",", ""));
  const [heads = [], ...rows] = rowsOf("docs/costs.md").map((cells) => cells.slice(1));
  const lines = rows.filter((cells) => cells.some((cell) => cell.includes("$"))).map((cells) => cells.map(amount));
  const together = lines.pop() ?? [];
  expect(heads).toEqual(["nothing", "1 million", "10 million", "100 million"]);
  const sums = heads.map((_, column) => lines.reduce((sum, line) => sum + (line[column] ?? Number.NaN), 0));
  expect(sums.map(Math.round)).toEqual(together);
});
