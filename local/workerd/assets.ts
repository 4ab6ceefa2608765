/** Static files as Cloudflare serves them before the Worker runs: GET and HEAD only, `/` for index.html, ETag and 304. */
import type { Asset } from "./local-binding.ts";

const INDEX = "/index.html";

interface Served extends Asset {
  readonly body: ArrayBuffer;
}

function bytesOf(value: unknown): ArrayBuffer {
  if (value instanceof ArrayBuffer) return value;
  throw new TypeError("a static file has no bytes");
}

export function createAssets(assets: readonly Asset[], env: Readonly<Record<string, unknown>>) {
  const files = new Map<string, Served>();
  for (const asset of assets) {
    const path = asset.path === INDEX ? "/" : asset.path;
    files.set(path, { ...asset, body: bytesOf(env[asset.binding]) });
  }

  /** The path of a URL, without making an object of it: this stands in the way of every request. */
  function pathOf(url: string): string {
    const start = url.indexOf("/", url.indexOf("://") + 3);
    const query = url.indexOf("?", start);
    return query === -1 ? url.slice(start) : url.slice(start, query);
  }

  return {
    /** The answer, or undefined when no file has this path. */
    serve(request: Request): Response | undefined {
      const path = pathOf(request.url);
      const redirected = path === INDEX || path === "/index";
      const file = files.get(redirected ? "/" : path);
      if (file === undefined) return undefined;
      const headers = new Headers(file.headers.map(([name, value]): [string, string] => [name, value]));
      if (request.method !== "GET" && request.method !== "HEAD") return new Response(null, { status: 405, headers });
      if (redirected) {
        headers.set("location", `/${new URL(request.url).search}`);
        return new Response(null, { status: 307, headers });
      }
      headers.set("etag", file.etag);
      const known = request.headers.get("if-none-match");
      if (known === file.etag || known === `W/${file.etag}`) return new Response(null, { status: 304, headers });
      headers.set("content-type", file.contentType);
      return new Response(request.method === "HEAD" ? null : file.body, { headers });
    },
  };
}
