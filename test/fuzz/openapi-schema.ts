/** The OpenAPI document's schemas: whether a value fits one, and values that do. */
import fc from "fast-check";
import { z } from "zod";

const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  items: z.unknown().optional(),
  minItems: z.int().optional(),
  maxItems: z.int().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  propertyNames: z.object({ pattern: z.string() }).optional(),
  maxProperties: z.int().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
});
type Schema = z.infer<typeof Schema>;

/** What `format` means where a pattern does not say it. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i,
};
const KNOWN_KEYWORDS = new Set([...Object.keys(Schema.shape), "description", "example", "default"]);
const JUNK: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  2 ** 53,
  "",
  "\u0000",
  "~",
  "x".repeat(2_000),
  [],
  [[]],
  {},
  { x: 1 },
];

const kindOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

export type Schemas = ReturnType<typeof schemasOf>;

/** `components`: the document's own. Throws for a keyword that it does not understand, rather than to take everything. */
export function schemasOf(components: Readonly<Record<string, unknown>>) {
  function resolve(raw: unknown): Schema {
    const schema = Schema.parse(raw);
    const unknown = Object.keys(schema).filter((keyword) => !KNOWN_KEYWORDS.has(keyword));
    if (unknown.length > 0) throw new Error(`keywords that the test does not know: ${unknown.join(", ")}`);
    return schema.$ref === undefined ? schema : resolve(components[schema.$ref.replace("#/components/schemas/", "")]);
  }

  function isOfType(type: string, value: unknown): boolean {
    return type === "integer" ? Number.isInteger(value) : kindOf(value) === type;
  }

  function isText(schema: Schema, text: string): boolean {
    const { length } = [...text];
    if (length < (schema.minLength ?? 0) || length > (schema.maxLength ?? Number.POSITIVE_INFINITY)) return false;
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(text)) return false;
    return FORMATS[schema.format ?? ""]?.test(text) ?? true;
  }

  function isRecord(schema: Schema, value: object): boolean {
    const { properties = {}, required = [], additionalProperties = true, propertyNames, maxProperties } = schema;
    if (!required.every((name) => Object.hasOwn(value, name))) return false;
    if (Object.keys(value).length > (maxProperties ?? Infinity)) return false;
    const named = new RegExp(propertyNames?.pattern ?? "", "u");
    return Object.entries(value).every(([name, field]) => {
      if (Object.hasOwn(properties, name)) return fits(properties[name], field);
      if (typeof additionalProperties === "boolean") return additionalProperties;
      return named.test(name) && fits(additionalProperties, field);
    });
  }

  function fits(raw: unknown, value: unknown): boolean {
    const schema = resolve(raw);
    const types = [schema.type ?? []].flat();
    if (types.length > 0 && !types.some((type) => isOfType(type, value))) return false;
    if (schema.enum && !schema.enum.includes(value)) return false;
    if (schema.anyOf && !schema.anyOf.some((one) => fits(one, value))) return false;
    if (schema.oneOf && schema.oneOf.filter((one) => fits(one, value)).length !== 1) return false;
    if (schema.allOf && !schema.allOf.every((one) => fits(one, value))) return false;
    if (typeof value === "string") return isText(schema, value);
    if (typeof value === "number") {
      return value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity);
    }
    if (Array.isArray(value)) {
      if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity)) return false;
      return value.every((item) => fits(schema.items ?? {}, item));
    }
    return typeof value !== "object" || value === null || isRecord(schema, value);
  }

  function texts(schema: Schema): fc.Arbitrary<unknown> {
    if (schema.format === "uuid") return fc.uuid();
    // The window in which points may be submitted is no matter of form.
    if (schema.format === "date-time") {
      return fc.integer({ min: 0, max: 86_400_000 }).map((ago) => new Date(Date.now() - ago).toISOString());
    }
    const { pattern, minLength = 0, maxLength = 64 } = schema;
    // Look-aheads are beyond fast-check: what they leave out is rare.
    const text =
      pattern === undefined || pattern.includes("(?!")
        ? fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 64) })
        : fc.stringMatching(new RegExp(pattern, "u"));
    return text.filter((found) => isText(schema, found));
  }

  function valid(raw: unknown): fc.Arbitrary<unknown> {
    const schema = resolve(raw);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const among = schema.anyOf ?? schema.oneOf;
    if (among) return fc.oneof(...among.map(valid));
    return fc.oneof(...[schema.type ?? "any"].flat().map((type) => validOfType(type, schema)));
  }

  function validOfType(type: string, schema: Schema): fc.Arbitrary<unknown> {
    switch (type) {
      case "null":
        return fc.constant(null);
      case "number":
        return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map((n) => n + 0);
      case "integer": {
        const { minimum: min = -(2 ** 31), maximum: max = 2 ** 31 } = schema;
        return fc.oneof(
          fc.maxSafeInteger().map((n) => min + (Math.abs(n) % (max - min + 1))),
          fc.constantFrom(min, max),
        );
      }
      case "string":
        return texts(schema);
      case "array": {
        const { minItems: minLength = 0, maxItems: maxLength = 5 } = schema;
        const list = fc.array(valid(schema.items), { minLength, maxLength: Math.min(maxLength, 5) });
        return list.filter((items) => namesOf(items).length === new Set(namesOf(items)).size);
      }
      case "object": {
        const { properties = {}, required = [], additionalProperties, propertyNames, maxProperties = 3 } = schema;
        if (typeof additionalProperties === "object" && propertyNames !== undefined) {
          const names = fc.stringMatching(new RegExp(propertyNames.pattern.replace(/\(\?!.*?\)/, ""), "u"));
          return fc
            .dictionary(names, valid(additionalProperties), { maxKeys: Math.min(3, maxProperties) })
            .filter((value) => fits(schema, value));
        }
        const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valid(field)]));
        return fc.record(fields, { requiredKeys: required });
      }
      default:
        return fc.json().map((text): unknown => JSON.parse(text));
    }
  }

  /** A value that fits in all but one place, which has junk, nothing, or a field too many. */
  function spoiled(raw: unknown): fc.Arbitrary<unknown> {
    const schema = resolve(raw);
    const inside = (value: unknown): fc.Arbitrary<unknown> => {
      if (kindOf(value) !== "object" || schema.properties === undefined) return fc.constantFrom(...JUNK);
      const record = z.record(z.string(), z.unknown()).parse(value);
      const deeper = Object.entries(schema.properties).map(([name, field]) =>
        spoiled(field).map((junk): unknown => ({ ...record, [name]: junk })),
      );
      const fewer = (schema.required ?? []).map((name) => {
        const { [name]: _, ...rest } = record;
        return fc.constant<unknown>(rest);
      });
      return fc.oneof(...deeper, ...fewer, fc.constant<unknown>({ ...record, unheardOf: 1 }), fc.constantFrom(...JUNK));
    };
    return valid(raw)
      .chain(inside)
      .filter((value) => !fits(raw, value));
  }

  return { fits, valid, spoiled };
}

/** Badges have names of their own: the one rule of a list that JSON Schema cannot say. */
const namesOf = (items: readonly unknown[]) =>
  items.flatMap((item) => (typeof item === "object" && item !== null && "badge" in item ? [item.badge] : []));
