/** What is wrong with a value, in words that may be shown: for every schema that does not say it itself. */
import type { z } from "zod";

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: "must be a time in ISO 8601, such as 2026-10-14T18:03:11Z",
  uuid: "must be a UUID",
  url: "must be a URL",
};

const UNITS: Readonly<Record<string, readonly [one: string, several: string]>> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
};

/** `1 entry`, `1,000 entries`; a number, as it is written in JSON, of what is not counted. */
function amount(origin: string, bound: number | bigint): string {
  const unit = UNITS[origin];
  if (unit === undefined) return String(bound);
  return `${bound.toLocaleString("en")} ${Number(bound) === 1 ? unit[0] : unit[1]}`;
}

/** For zod's `customError`. */
export const inWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${KINDS[issue.expected] ?? "something else"}`;
    case "too_small":
      return UNITS[issue.origin]
        ? `must have ${amount(issue.origin, issue.minimum)} or more`
        : `must be ${issue.minimum} or more`;
    case "too_big":
      return UNITS[issue.origin]
        ? `must have ${amount(issue.origin, issue.maximum)} or fewer`
        : `must be ${issue.maximum} or less`;
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "invalid_format":
      return FORMATS[issue.format] ?? "has another form than it must have";
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has fields that are not known: ${issue.keys.join(", ")}`;
    case "invalid_key":
      return `is a name that ${issue.issues[0]?.message ?? "is not taken here"}`;
    default:
      return "is not what is taken here";
  }
};
