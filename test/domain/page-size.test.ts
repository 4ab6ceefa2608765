import { expect, test } from "vitest";
import { DependencyError } from "../../functions/domain/errors.ts";
import { onePage, pageSize, somePage } from "../../functions/services/page-size.ts";

const slow = () => Promise.reject(new DependencyError("postgres", "slow", "deadline"));

test("a page that took too long is halved at once, twice in one call, and then the caller hears of it", async () => {
  const asked: number[] = [];
  const work = (n: number) => {
    asked.push(n);
    return n > 30 ? slow() : Promise.resolve(n);
  };
  await expect(somePage("halving", 200, work)).rejects.toThrow("slow");
  expect(await somePage("halving", 200, work)).toEqual({ n: 25, page: 25 });
  expect(asked).toEqual([200, 100, 50, 25]);
});

test("it grows back slowly, and never beyond what it was", async () => {
  await expect(onePage("growing", 100, slow)).rejects.toThrow("slow");
  const sizes: number[] = [];
  for (let n = 0; n < 6; n += 1) sizes.push(await onePage("growing", 100, (size) => Promise.resolve(size)));
  expect(sizes).toEqual([50, 63, 79, 99, 100, 100]);
});

test("no other failure makes it shorter, and no other job's", async () => {
  const refused = () => Promise.reject(new DependencyError("postgres", "refused", "42883"));
  await expect(somePage("refused", 100, refused)).rejects.toThrow("refused");
  await expect(somePage("another", 100, slow)).rejects.toThrow("slow");
  expect(pageSize("refused", 100)).toBe(100);
});

test("it stays a page, however slow all are", async () => {
  for (let n = 0; n < 20; n += 1) await expect(onePage("least", 100, slow)).rejects.toThrow("slow");
  expect(pageSize("least", 100)).toBe(10);
});
