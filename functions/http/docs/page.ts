/** The reference page: the OpenAPI document as HTML, rendered here, so that it needs neither a script nor a CDN. */
import { html } from "hono/html";
import type { OpenApiDocument } from "../openapi.ts";
import { DOCS_STYLE } from "./style.ts";
import { viewOf, type Chapter, type Content, type Operation, type View } from "./view.ts";

type Html = ReturnType<typeof html>;

const pretty = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** The little Markdown that descriptions use: `code`, **strong**, paragraphs. */
function prose(text: string): Html {
  const paragraphs = text.split(/\n\n+/).map((paragraph) => {
    const parts = paragraph.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
      if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
      return part.startsWith("**") ? html`<strong>${part.slice(2, -2)}</strong>` : part;
    });
    return html`<p>${parts}</p>`;
  });
  return html`${paragraphs}`;
}

function access(operation: Operation): string {
  const names = operation.security.flatMap((scheme) => Object.keys(scheme));
  const words: Record<string, string> = {
    serverKey: "server key",
    playerToken: "player token",
    metricsToken: "metrics token",
  };
  return names.length === 0 ? "public" : names.map((name) => words[name] ?? name).join(" or ");
}

function parameters(view: View, operation: Operation): Html | "" {
  if (operation.parameters.length === 0) return "";
  const rows = operation.parameters.map(
    (parameter) =>
      html`<tr>
        <th scope="row"><code>${parameter.name}</code></th>
        <td>${parameter.in}${parameter.required ? "" : ", optional"}</td>
        <td>${prose(view.describe(parameter))}</td>
      </tr>`,
  );
  return html`<table>
    <caption>
      Parameters
    </caption>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function bodies(content: Content | undefined): Html | "" {
  const shown = Object.values(content ?? {}).flatMap(({ example, examples }) =>
    example === undefined ? Object.values(examples ?? {}).map(({ value }) => value) : [example],
  );
  return shown.length === 0 ? "" : html`${shown.map((value) => html`<pre tabindex="0">${pretty(value)}</pre>`)}`;
}

function responses(operation: Operation): Html {
  const all = Object.entries(operation.responses).map(
    ([status, { description, content }]) =>
      html`<details ${status.startsWith("2") ? "open" : ""}>
        <summary><b class="s${status.slice(0, 1)}">${status}</b> ${description}</summary>
        ${bodies(content)}
      </details>`,
  );
  return html`<h4>Answers</h4>
    ${all}`;
}

/** A request that works when the placeholders are filled in. */
function curl(operation: Operation, origin: string): string {
  const path = operation.path.replace("{game}", "arena").replace("{board}", "current").replace("{player}", "ada");
  const body = operation.requestBody?.content["application/json"]?.example;
  const lines = [
    `curl${operation.method === "get" ? "" : ` -X ${operation.method.toUpperCase()}`} ${origin}${path}`,
    ...(operation.security.length > 0 ? [`-H "authorization: Bearer $KEY"`] : []),
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`, `-d '${JSON.stringify(body)}'`]),
  ];
  return lines.join(" \\\n  ");
}

function section(view: View, operation: Operation, origin: string): Html {
  return html`<section id="${operation.operationId}">
    <h3>
      <span class="method ${operation.method}">${operation.method.toUpperCase()}</span>
      <code>${operation.path}</code>
    </h3>
    <p class="summary">${operation.summary} <span class="access">${access(operation)}</span></p>
    ${operation.description === undefined ? "" : prose(operation.description)} ${parameters(view, operation)}
    <h4>Request</h4>
    <pre tabindex="0">${curl(operation, origin)}</pre>
    ${responses(operation)}
  </section>`;
}

const links = (chapter: Chapter) =>
  html`<li>
    ${chapter.name}
    <ul>
      ${chapter.operations.map(({ operationId, summary }) => html`<li><a href="#${operationId}">${summary}</a></li>`)}
    </ul>
  </li>`;

export async function renderDocs(document: OpenApiDocument, origin: string, nonce: string): Promise<string> {
  const view = viewOf(document);
  const chapters = view.chapters.map(
    (chapter) =>
      html`<h2>${chapter.name}</h2>
        ${prose(chapter.description)} ${chapter.operations.map((operation) => section(view, operation, origin))}`,
  );
  const page = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${view.title} API</title>
        <style nonce="${nonce}">
          ${DOCS_STYLE}
        </style>
      </head>
      <body>
        <nav aria-label="Operations">
          <ul>
            ${view.chapters.map(links)}
          </ul>
        </nav>
        <main>
          <h1>${view.title} API</h1>
          ${prose(view.about)}
          <p><a href="/openapi.json">openapi.json</a></p>
          ${chapters}
        </main>
      </body>
    </html>`;
  return String(page);
}
