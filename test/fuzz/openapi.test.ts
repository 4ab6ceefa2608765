/**
 * Requests that the OpenAPI document makes: what fits it is never a 400 or 422, what does not is a 4xx that says so in words, and
 * every answer is one that the document describes.
 */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { call, freshGame, type Answer } from "../harness/api.ts";
import { schemasOf, type Schemas } from "./openapi-schema.ts";

const RUNS = Number(process.env["FUZZ_DOCUMENT_RUNS"] ?? (process.env["EDGEBOARD_LONG"] ? 400 : 25));

const Media = z.record(z.string(), z.looseObject({ schema: z.unknown() }));
const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.enum(["path", "query", "header"]),
        required: z.boolean(),
        schema: z.unknown(),
      }),
    )
    .default([]),
  requestBody: z.looseObject({ content: Media }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: Media.optional() })),
});
type Operation = z.infer<typeof Operation>;
const Document = z.looseObject({
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
});
const Refusal = z.object({ errors: z.array(z.object({ detail: z.string() })).default([]) });

/** Signatures are refused with a 401 of their own, and cursors are what an earlier page gave: no form says which. */
const isLeftOut = ({ name, schema }: { name: string; schema: unknown }) =>
  name.startsWith("edgeboard-") || z.looseObject({ format: z.literal("cursor") }).safeParse(schema).success;

type Sent = { readonly parameters: Readonly<Record<string, unknown>>; readonly body?: unknown };

function requestOf(operation: Operation, path: string, game: string, { parameters, body }: Sent) {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let target = path.replace("{game}", game);
  for (const { name, in: place } of operation.parameters) {
    const value = parameters[name];
    if (value === undefined || name === "game") continue;
    if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (place === "query") query.set(name, String(value));
    else headers[name] = String(value);
  }
  return {
    path: query.size > 0 ? `${target}?${query.toString()}` : target,
    headers,
    ...(body === undefined ? {} : { body }),
  };
}

const bodySchema = (operation: Operation) => operation.requestBody?.content["application/json"]?.schema;

const Score = z.looseObject({
  player: z.string(),
  points: z.number().optional(),
  values: z.record(z.string(), z.unknown()).default({}),
});

/**
 * What no schema can say: the all-time board is not split by country, and which segments a board has; a score has points or values, and metadata where a board of the
 * game keeps it. What a board's definition must be: test/http/boards.refusals.test.ts.
 */
function isPossible({ parameters, body }: Sent): boolean {
  if (String(parameters["board"]).startsWith("all-time") && parameters["country"] !== undefined) return false;
  if (parameters["segment"] !== undefined) return false;
  const score = Score.safeParse(body);
  if (!score.success) return true;
  const { points, values, metadata } = score.data;
  return metadata === undefined && (points !== undefined || Object.keys(values).length > 0);
}

function validRequest(schemas: Schemas, operation: Operation): fc.Arbitrary<Sent> {
  const parameters = operation.parameters.filter((parameter) => !isLeftOut(parameter));
  const fields = Object.fromEntries(parameters.map(({ name, schema }) => [name, schemas.valid(schema)]));
  const requiredKeys = parameters.filter(({ required }) => required).map(({ name }) => name);
  const sent = fc.record(fields, { requiredKeys });
  const schema = bodySchema(operation);
  const whole =
    schema === undefined
      ? sent.map((given) => ({ parameters: given }))
      : fc.record({ parameters: sent, body: schemas.valid(schema) });
  return whole.filter(isPossible);
}

/** One parameter or the body does not fit. As text in a URL, 5 and "5" are one, so that a value has to be no text that fits. */
function spoiledRequest(schemas: Schemas, operation: Operation): fc.Arbitrary<Sent> | undefined {
  const strange = ["~", "a b", "x".repeat(700), "-1", "1.5", "1e3", "\u0001", "DEU", "2026-W00"];
  const texts = fc.oneof(fc.constantFrom(...strange), fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 }));
  const inParameters = operation.parameters
    .filter((parameter) => !isLeftOut(parameter) && parameter.name !== "game" && parameter.in !== "header")
    .map(({ name, schema, in: place }) => {
      const fits = (text: string) =>
        schemas.fits(schema, text) || (/^-?\d+$/.test(text) && schemas.fits(schema, Number(text)));
      if (strange.every(fits)) throw new Error(`${operation.operationId}: the document lets everything be ${name}`);
      // A URL cannot have these as a part of its path.
      const bad = texts.filter((text) => !fits(text) && !(place === "path" && [".", ".."].includes(text)));
      return fc
        .tuple(validRequest(schemas, operation), bad)
        .map(([sent, text]) => ({ ...sent, parameters: { ...sent.parameters, [name]: text } }));
    });
  const schema = bodySchema(operation);
  const inBody =
    schema === undefined
      ? []
      : [
          fc
            .tuple(validRequest(schemas, operation), schemas.spoiled(schema))
            .map(([sent, body]) => ({ ...sent, body })),
        ];
  const all = [...inParameters, ...inBody];
  return all.length === 0 ? undefined : fc.oneof(...all);
}

const document = Document.parse((await call("/openapi.json", { key: null })).body);
const schemas = schemasOf(document.components.schemas);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    operation,
    id: operation.operationId,
  })),
);

function expectDocumented(operation: Operation, { status, headers, body }: Answer, said: string): void {
  const response = operation.responses[String(status)];
  expect(response, `${said}: the document has no ${status}`).toBeDefined();
  const type = headers.get("content-type")?.split(";")[0] ?? "";
  const media = response?.content?.[type];
  expect(media === undefined && body !== "" && status !== 204, `${said}: ${type} is not in the document`).toBe(false);
  if (type.endsWith("json")) expect(schemas.fits(media?.schema, body), `${said}: ${JSON.stringify(body)}`).toBe(true);
}

describe.each(operations)("$id", ({ id, path, method, operation }) => {
  let game: string;

  beforeAll(async () => {
    game = await freshGame({ maxImprovement: 5_000_000_000 });
    await call(`/v1/games/${game}/scores`, { body: { player: "ada", points: 10, country: "DE" } });
  });

  const send = async (sent: Sent) => {
    const { path: target, ...options } = requestOf(operation, path, game, sent);
    const answer = await call(target, { method, ...options });
    return {
      answer,
      said: `${method} ${target} ${JSON.stringify(options)} → ${answer.status} ${JSON.stringify(answer.body)}`,
    };
  };

  // The fields of a definition have rules between them, which no schema says.
  if (id !== "putBoard")
    it("takes what the document allows, and answers as it says", async () => {
      const property = fc.asyncProperty(validRequest(schemas, operation), async (sent) => {
        const { answer, said } = await send(sent);
        expect([400, 422], said).not.toContain(answer.status);
        expect(answer.status, said).toBeLessThan(500);
        expectDocumented(operation, answer, said);
      });
      await fc.assert(property, { numRuns: operation.parameters.length > 1 || bodySchema(operation) ? RUNS : 2 });
    });

  const bad = spoiledRequest(schemas, operation);
  if (!bad) return;
  it("refuses what the document does not allow, in words", async () => {
    const property = fc.asyncProperty(bad, async (sent) => {
      const { answer, said } = await send(sent);
      expect([404, 422], `${id} ${said}`).toContain(answer.status);
      expectDocumented(operation, answer, said);
      for (const { detail } of Refusal.parse(answer.body).errors) {
        expect(detail, said).toMatch(/^(must|is|has) /);
        expect(detail, said).not.toMatch(/regex|pattern|invalid|expected|received|[\^$\\]/i);
      }
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});
