/** The OpenAPI 3.1 document: what the routes say, put into chapters and given examples. */
import { z } from "zod";
import type { App } from "./app-type.ts";
import { EXAMPLES, type Examples } from "./openapi-examples.ts";

const CHAPTERS = [
  { name: "Submit", description: "Scores on their way in.", operations: ["submitScore", "submitBatch"] },
  {
    name: "Boards",
    description:
      "Rankings: more points first, then the earlier second, then the player id by bytes, descending. " +
      "A board is `current`, an ISO week or `all-time`; `country` chooses a week's board of one country. " +
      "`Edgeboard-Source` says whether Redis or Postgres answered; `Edgeboard-Degraded: true` means an outage.",
    operations: ["top", "standing", "around", "playersCount"],
  },
  {
    name: "Definitions",
    description: "Which boards a game has, and in which periods they run (docs/boards.md).",
    operations: ["listBoards", "getBoard", "putBoard", "deleteBoard", "listPeriods"],
  },
  { name: "Live", description: "What is happening now.", operations: ["feed", "live"] },
  { name: "Players", description: "What is known of one player.", operations: ["badges"] },
  { name: "Games", description: "A game is a tenant with its own boards.", operations: ["getGame", "putGame"] },
  { name: "Moderation", description: "For administrators of a game.", operations: [] },
  { name: "Operations", description: "For the operators of the service.", operations: [] },
] as const;

const ABOUT = `Weekly game leaderboards and a live activity feed.

**Retries are safe.** Send an \`Idempotency-Key\` with each submission and use the same key again until you have an answer:
one row, one feed event, one badge, whatever happens in between. Without one the answer's \`Idempotency-Key\` header has
the key that the server made.

**202 is no error.** The submission is durable and is ranked by itself in a moment.

**Errors** are problem+json (RFC 9457). Branch on \`type\`, show \`detail\`, and name \`requestId\` when you report one.
\`Retry-After\` says when a 429 or 503 is worth another try. \`Server-Timing\` says where the time went.`;

const Content = z.record(z.string(), z.looseObject({ example: z.unknown().optional() }));
const Operation = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()).optional(),
  requestBody: z.looseObject({ content: Content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: Content.optional() })),
});
export const OpenApiDocument = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
});
export type OpenApiDocument = z.infer<typeof OpenApiDocument>;

function chapterOf(operationId: string): string[] {
  return CHAPTERS.filter(({ operations }) => operations.some((name) => name === operationId)).map(({ name }) => name);
}

/** The example goes to the JSON body, if there is one; problems have their own. */
function withExample(content: z.infer<typeof Content>, example: unknown): z.infer<typeof Content> {
  const json = content["application/json"];
  return json && example !== undefined ? { ...content, "application/json": { ...json, example } } : content;
}

function completed(operation: z.infer<typeof Operation>): z.infer<typeof Operation> {
  const examples: Examples = EXAMPLES[operation.operationId] ?? { responses: {} };
  const body = operation.requestBody;
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const { content } = response;
    return [status, content ? { ...response, content: withExample(content, examples.responses[status]) } : response];
  });
  return {
    ...operation,
    tags: operation.tags ?? chapterOf(operation.operationId),
    ...(body ? { requestBody: { ...body, content: withExample(body.content, examples.request) } } : {}),
    responses: Object.fromEntries(responses),
  };
}

export function openApiDocument(app: App): OpenApiDocument {
  const document = OpenApiDocument.parse(
    app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: "Edgeboard",
        version: "1",
        description: ABOUT,
        license: { name: "MIT", url: "https://opensource.org/license/mit" },
      },
      servers: [{ url: "/" }],
      tags: CHAPTERS.map(({ name, description }) => ({ name, description })),
    }),
  );
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, completed(operation)])),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}
