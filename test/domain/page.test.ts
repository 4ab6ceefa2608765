import { expect, it } from "vitest";
import { chunks, pageOf } from "../../functions/domain/page.ts";

it("a list comes in parts, the last one shorter, and an empty list in none", () => {
  expect(chunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunks([1, 2], 2)).toEqual([[1, 2]]);
  expect(chunks([], 2)).toEqual([]);
});

it("a page has a next one only when more was found than it shows", () => {
  expect(pageOf([1, 2, 3], 2)).toEqual({ page: [1, 2], next: 2 });
  expect(pageOf([1, 2], 2)).toEqual({ page: [1, 2], next: null });
  expect(pageOf([], 2)).toEqual({ page: [], next: null });
});
