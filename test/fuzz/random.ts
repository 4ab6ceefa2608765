/** Seeded choices and the values that clients are known to send by mistake or on purpose. */

export type Random = {
  /** An integer from 0 to n − 1. */
  below(n: number): number;
  pick<T>(from: readonly T[]): T;
  /** True once in `n` times. */
  oneIn(n: number): boolean;
  bytes(length: number): Uint8Array<ArrayBuffer>;
};

/** Mulberry32: small, and the same on every machine. */
export function randomOf(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  return {
    below,
    pick(from) {
      const value = from[below(from.length)];
      if (value === undefined) throw new Error("nothing to pick from");
      return value;
    },
    oneIn: (n) => below(n) === 0,
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  };
}

export const STRANGE_TEXTS = [
  "",
  " ",
  "null",
  "true",
  "NaN",
  "007",
  "1e5",
  "-0",
  "0x10",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "'; drop table submissions; --",
  '" or 1=1 --',
  "{}",
  "[]",
  "$1",
  "%s%n",
  "../../etc/passwd",
  "\u0000",
  "a\u0000b",
  "\u0001",
  "\r\nx: y",
  "\u202e",
  "ﷺ",
  "👩‍👩‍👧‍👦",
  "é",
  "e\u0301",
  "\ud800",
  "\udc00x",
  "ß",
  "İ",
  "\ufeff",
  "a".repeat(64),
  "a".repeat(65),
  "😀".repeat(64),
  "😀".repeat(65),
  "x".repeat(5_000),
  "123456789012345678901",
  "all-time",
  "current",
  "2026-W53",
  "2025-W53",
  "0000-W01",
  "9999-W52",
  "2026-W00",
  "DE",
  "de",
  "XX",
  "T1",
  "D",
  "DEU",
  "{arena}",
  "*",
  "\\",
  "/",
  "?",
  "#",
  "%",
  "%00",
  "%zz",
] as const;

export const STRANGE_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  0.5,
  -0,
  1e300,
  2 ** 33 - 1,
  2 ** 33,
  2 ** 53,
  -(2 ** 53),
  8_589_934_591.5,
  [],
  {},
  [[]],
  [null],
  { toString: 1 },
  { length: 3 },
  "1200",
  "2026-10-14T18:03:11Z",
  "2026-13-40T99:99:99Z",
  "+275760-09-13T00:00:00Z",
  "-271821-04-20T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "1970-01-01",
  1_795_961_128_206,
  ...STRANGE_TEXTS,
];
