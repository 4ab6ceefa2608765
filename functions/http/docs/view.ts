/** The parts of the OpenAPI document that the page shows. */
import { z } from "zod";
import type { OpenApiDocument } from "../openapi.ts";

const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
});
const Content = z.record(
  z.string(),
  z.looseObject({
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
  }),
);
const Parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: Schema.optional(),
});
const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string().default(""),
  description: z.string().optional(),
  tags: z.array(z.string()).default([]),
  security: z.array(z.record(z.string(), z.unknown())).default([]),
  parameters: z.array(Parameter).default([]),
  requestBody: z.looseObject({ content: Content }).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string(), content: Content.optional() })),
});
const View = z.looseObject({
  info: z.looseObject({ title: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  components: z.looseObject({ schemas: z.record(z.string(), Schema) }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
});

export type Parameter = z.infer<typeof Parameter>;
export type Operation = z.infer<typeof Operation> & { readonly path: string; readonly method: string };
export type Content = z.infer<typeof Content>;
export type Chapter = {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
};
export type View = {
  readonly title: string;
  readonly about: string;
  readonly chapters: readonly Chapter[];
  readonly describe: (parameter: Parameter) => string;
};

/** The document by chapters, each operation in the chapter of its first tag. */
export function viewOf(document: OpenApiDocument): View {
  const { info, tags, components, paths } = View.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => ({ ...operation, path, method })),
  );
  return {
    title: info.title,
    about: info.description,
    chapters: tags.map((tag) => ({ ...tag, operations: operations.filter((o) => o.tags[0] === tag.name) })),
    describe({ description, schema }) {
      const name = schema?.$ref?.split("/").at(-1);
      const known = description ?? schema?.description ?? (name && components.schemas[name]?.description) ?? "";
      return schema?.default === undefined ? known : `${known} Default: ${JSON.stringify(schema.default)}.`;
    },
  };
}
